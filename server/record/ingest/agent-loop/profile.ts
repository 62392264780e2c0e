import type { RowSink, SourceInput } from '../adapter.ts';
import { PROFILE } from './contract.ts';
import { bare, itemsOf, readArtifact, saysNone } from './markdown.ts';
import { addArtifact } from './read-run.ts';
import { addEvent, addRun } from './rows.ts';

/** What the points of each section are. */
const KINDS: Readonly<Record<string, string>> = {
  commands: 'profile_command',
  stack: 'profile_stack',
  exemplars: 'profile_exemplar',
  'conventions and gotchas': 'profile_convention',
};
/** A command of the template that was never filled in. */
const PLACE_HOLDER = /^[^:]{0,30}:?\s*<[^<>]{0,80}>$/;

/** `profile.md`: the commands that were found to work, and what a new agent must know; the same for all runs of a project. */
export async function readProfile(source: SourceInput, out: RowSink): Promise<void> {
  const artifact = await readArtifact(source);
  source.count(artifact.lines, 0);
  const place = { source, featureId: null };
  addRun(out, source);
  addArtifact(out, { name: PROFILE, artifact, place });
  for (const { key, lines } of artifact.sections) {
    const kind = Object.hasOwn(KINDS, key) ? KINDS[key] : undefined;
    if (kind === undefined) continue;
    const items = itemsOf(lines);
    const points =
      items.length > 0
        ? items
        : lines.flatMap(({ no, text }) =>
            text.trim() === '' ? [] : [{ line: no, lastLine: no, text: text.trim(), ticked: null }],
          );
    for (const { line, lastLine, text } of points) {
      const message = bare(text);
      if (PLACE_HOLDER.test(message) || saysNone(message)) continue;
      addEvent(out, place, { kind, message, line, lastLine });
    }
  }
}
