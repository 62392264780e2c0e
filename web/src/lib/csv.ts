export { asCsv, type CsvValue, rowsAsCsv } from '../../../shared/csv.ts';
