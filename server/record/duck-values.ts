import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBAppender,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
  INTEGER,
  SQLNULL,
  VARCHAR,
} from '@duckdb/node-api';
import type { SqlValue } from './store.ts';

const INT32 = 2 ** 31;

/** A parameter as DuckDB takes it: whole numbers as integers, so that LIMIT and list functions accept them. */
export function toParameter(value: SqlValue): { value: DuckDBValue; type: DuckDBType } {
  if (value === null) return { value, type: SQLNULL };
  if (typeof value === 'string') return { value, type: VARCHAR };
  if (typeof value === 'boolean') return { value, type: BOOLEAN };
  if (!Number.isSafeInteger(value)) return { value, type: DOUBLE };
  return Math.abs(value) < INT32 ? { value, type: INTEGER } : { value: BigInt(value), type: BIGINT };
}

/** A cell as the record gives it out: integers of any width and decimals as numbers, everything else that is not plain as text. */
export function fromCell(value: DuckDBValue): SqlValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'bigint':
      return Number(value);
    default:
      if (value === null || value === undefined) return null;
      if (typeof value === 'object' && 'scale' in value && 'toDouble' in value) return value.toDouble();
      return String(value);
  }
}

/** Appends one value in the type of its column. Throws when it does not fit; the caller's transaction then ends. */
export function appendCell(appender: DuckDBAppender, type: DuckDBTypeId | undefined, value: SqlValue): void {
  if (value === null) {
    appender.appendNull();
    return;
  }
  switch (type) {
    case DuckDBTypeId.BIGINT:
      appender.appendBigInt(BigInt(Math.round(Number(value))));
      break;
    case DuckDBTypeId.INTEGER:
      appender.appendInteger(Math.round(Number(value)));
      break;
    case DuckDBTypeId.DOUBLE:
      appender.appendDouble(Number(value));
      break;
    case DuckDBTypeId.BOOLEAN:
      appender.appendBoolean(value === true);
      break;
    default:
      appender.appendVarchar(String(value));
  }
}
