import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { CARD_COMPONENTS, CATALOG_ID, propsSchema, ROOT_COMPONENT } from '../../shared/catalog.ts';

type Schema = Record<string, unknown>;
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Ids the official files go by; they name the catalog in use `catalog.json` beside them. */
const BASE = 'https://a2ui.org/specification/v0_9';

/** One of the official v0.9 schemas, read from the package that ships them (its exports do not name them). */
function official(file: string): Schema {
  const entry = createRequire(import.meta.url).resolve('@a2ui/web_core/v0_9');
  const parsed: unknown = JSON.parse(readFileSync(join(dirname(entry), 'schemas', file), 'utf8'));
  if (!isSchema(parsed)) throw new Error(`${file} is not a JSON schema`);
  return parsed;
}

/** A component of our catalog in full: its props, its name and its id; nothing else. */
function componentSchema(name: (typeof CARD_COMPONENTS)[number] | typeof ROOT_COMPONENT): Schema {
  const props = propsSchema(name);
  const required = Array.isArray(props.required) ? props.required : [];
  return {
    ...props,
    properties: {
      ...(isSchema(props.properties) ? props.properties : {}),
      id: { $ref: `${BASE}/common_types.json#/$defs/ComponentId` },
      component: { const: name },
    },
    required: ['id', 'component', ...required],
  };
}

/**
 * Our catalog as an A2UI catalog document (JSON Schema draft 2020-12): closed components, no functions, no theme.
 * @param id `$id` of the document
 */
export function catalogSchema(id: string = CATALOG_ID): Schema {
  const names = [ROOT_COMPONENT, ...CARD_COMPONENTS] as const;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: id,
    title: 'Looplight cards',
    catalogId: CATALOG_ID,
    components: Object.fromEntries(names.map((name) => [name, componentSchema(name)])),
    functions: {},
    $defs: {
      theme: { type: 'object', additionalProperties: false },
      anyComponent: { oneOf: names.map((name) => ({ $ref: `#/components/${name}` })) },
      anyFunction: { not: {} },
    },
  };
}

let compiled: ValidateFunction | null = null;

/** The official message schema with our catalog in it, compiled once a process. */
export function messageValidator(): ValidateFunction {
  if (compiled) return compiled;
  // `discriminator` and the catalog's own keywords are annotations to JSON Schema.
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  ajv.addSchema(official('common_types.json'));
  ajv.addSchema(catalogSchema(`${BASE}/catalog.json`));
  compiled = ajv.compile(official('server_to_client.json'));
  return compiled;
}
