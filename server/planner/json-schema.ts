/** The part of JSON Schema that strict structured output knows, and short ways to write it. */
export interface JSONSchema {
  description?: string;
  type?: 'object' | 'array' | 'string' | 'boolean' | 'null';
  properties?: Readonly<Record<string, JSONSchema>>;
  required?: readonly string[];
  additionalProperties?: false;
  items?: JSONSchema;
  anyOf?: readonly JSONSchema[];
  enum?: readonly string[];
  const?: string;
  $ref?: string;
  $defs?: Readonly<Record<string, JSONSchema>>;
}

/** A closed object; every key is required, in the order of writing. */
export const object = (
  properties: Readonly<Record<string, JSONSchema>>,
  description?: string,
): JSONSchema => ({
  ...(description === undefined ? {} : { description }),
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
export const array = (items: JSONSchema, description?: string): JSONSchema => ({
  ...(description === undefined ? {} : { description }),
  type: 'array',
  items,
});
export const text = (description?: string): JSONSchema => ({
  ...(description === undefined ? {} : { description }),
  type: 'string',
});
export const oneOf = (values: readonly string[], description?: string): JSONSchema => ({
  ...(description === undefined ? {} : { description }),
  type: 'string',
  enum: values,
});
export const constant = (value: string): JSONSchema => ({ type: 'string', const: value });
export const boolean: JSONSchema = { type: 'boolean' };
export const nullable = (schema: JSONSchema): JSONSchema => ({ anyOf: [schema, { type: 'null' }] });
/** A definition by name. Nothing else may stand beside `$ref` in strict mode. */
export const ref = (name: string): JSONSchema => ({ $ref: `#/$defs/${name}` });
