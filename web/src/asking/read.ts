import { LIMITS } from '../../../shared/limits.ts';
import type { AskingMenu } from '../../../shared/wire.ts';
import { getJson } from '../lib/api.ts';
import { fields, list, text } from '../lib/unknown.ts';

/** Questions, subjects and measures taken in at most. */
const MOST = 200;

/** Reads what can be asked; what cannot be read of it is left out. */
export function readMenu(value: unknown): AskingMenu {
  const menu = fields(value);
  return {
    features: list(
      menu.features,
      (item) => {
        const { id, title, status } = fields(item);
        const named = text(id);
        return named === null
          ? null
          : { id: named, title: (text(title) ?? '').slice(0, LIMITS.title), status: text(status) ?? '' };
      },
      LIMITS.menuFeatures,
    ),
    questions: list(menu.questions, text, MOST),
    subjects: list(
      menu.subjects,
      (item) => {
        const { name, measures, by } = fields(item);
        const called = text(name);
        return called === null
          ? null
          : {
              name: called,
              measures: list(
                measures,
                (one) => {
                  const label = text(fields(one).label);
                  return label === null ? null : { label, meaning: text(fields(one).meaning) ?? '' };
                },
                MOST,
              ),
              by: list(by, text, MOST),
            };
      },
      MOST,
    ),
  };
}

/** `GET /api/vocabulary` of a project, the default one's for null; nothing to ask when the server does not answer. Never rejects. */
export async function getMenu(project: string | null): Promise<AskingMenu> {
  return readMenu(await getJson(project === null ? '/api/vocabulary' : `/api/vocabulary?project=${project}`));
}
