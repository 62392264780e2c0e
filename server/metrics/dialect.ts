/** What differs between the databases the same query is compiled for. Everything else in sql.ts is plain SQL. */
export interface Dialect {
  name: string;
  /** Placeholder of the n-th parameter, counting from 1. */
  parameter: (n: number) => string;
  /** Sum and mean that do not depend on the order of the rows. */
  sum: (expression: string, filter: string) => string;
  mean: (expression: string, filter: string) => string;
  median: (expression: string, filter: string) => string;
  /** What nine of ten stay under. */
  p90: (expression: string, filter: string) => string;
  /** The number an id ends in ("T5", "US-003", "28"), null where it ends in none. */
  lastNumber: (expression: string) => string;
  /** Typed null. */
  nullText: string;
  nullNumber: string;
  /** Equal, with null equal to null. */
  same: (left: string, right: string) => string;
}

export const duckdb: Dialect = {
  name: 'duckdb',
  parameter: (n) => `$${n}`,
  sum: (expression, filter) => `fsum(${expression}) FILTER (WHERE ${filter})`,
  mean: (expression, filter) => `favg(${expression}) FILTER (WHERE ${filter})`,
  median: (expression, filter) => `median(${expression}) FILTER (WHERE ${filter})`,
  p90: (expression, filter) => `quantile_cont(${expression}, 0.9) FILTER (WHERE ${filter})`,
  lastNumber: (expression) => `TRY_CAST(regexp_extract(${expression}, '([0-9]{1,15})$', 1) AS DOUBLE)`,
  nullText: 'CAST(NULL AS VARCHAR)',
  nullNumber: 'CAST(NULL AS DOUBLE)',
  same: (left, right) => `${left} IS NOT DISTINCT FROM ${right}`,
};

/** Collects values to bind and gives their placeholders, so that no value is ever part of the text. */
export class Bindings {
  readonly values: (string | number | boolean | null)[] = [];
  constructor(private readonly dialect: Dialect) {}
  bind(value: string | number | boolean | null): string {
    this.values.push(value);
    return this.dialect.parameter(this.values.length);
  }
}

/** Joins the parts of a statement that are there. */
export const lines = (parts: readonly (string | null)[], glue = '\n  '): string =>
  parts.filter((part) => part !== null && part !== '').join(glue);
