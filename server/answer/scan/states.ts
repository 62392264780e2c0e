/** States and characters of the block scanner. Plain numbers, because they are compared once a character. */

// Where in the document the next character stands.
export const BEFORE = 0; // text before the document
export const FIRST_KEY = 1; // after a `{` that may open the document
export const KEY = 2; // after a comma between top-level pairs
export const COLON = 3;
export const VALUE = 4;
export const AFTER_VALUE = 5;
export const FIRST_ELEMENT = 6; // after the `[` of the blocks
export const ELEMENT = 7; // after a comma between blocks
export const AFTER_ELEMENT = 8;
export const NESTED = 9; // inside an object or array, outside its strings
export const STRING = 10;
export const ESCAPE = 11; // after a backslash
export const SCALAR = 12; // inside a number or a word
export const DONE = 13;

// What the string being read is.
export const PLAIN = 0;
export const TOP_KEY = 1; // key of a section
export const OWN_KEY = 2; // key at a block's own top level
export const OWN_VALUE = 3; // type or title of a block
export const WHOLE = 4; // a section or an element that is nothing but a string

export const QUOTE = 34;
export const COMMA = 44;
export const COLON_CHAR = 58;
export const Z_UPPER = 90;
export const OPEN_BRACKET = 91;
export const BACKSLASH = 92;
export const CLOSE_BRACKET = 93;
export const OPEN_BRACE = 123;
export const CLOSE_BRACE = 125;
export const LOWER_U = 117;
export const HALVES = 0xd800;
export const LAST_HALF = 0xdfff;
