export { UNKNOWN } from './unknown-file.ts';
