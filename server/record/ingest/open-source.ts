import { createHash } from 'node:crypto';
import { LIMITS } from '../../../shared/limits.ts';
import type { SourceInput, SourceLine } from './adapter.ts';
import { decode } from './decode.ts';
import type { FoundSource } from './discover.ts';
import { ledgerLines } from './git/ledger-lines.ts';
import { gitLines } from './git/log.ts';
import { RepositoryRefused } from './git/repository.ts';
import { type Issue, type IssueCode, Issues, type Severity } from './issue.ts';
import { linesOf } from './lines.ts';
import { openPlainFile, readPlainFile } from './read-file.ts';
import { sha256 } from './read-source.ts';
import { type LineStart, streamLines } from './stream-lines.ts';

/** Where reading of a log stopped the last time, and what its content was up to there. */
export interface Resume extends LineStart {
  sha: string;
}

const CHUNK = 256 * 1024;

/** One source while it is read, and what was found out about it. What goes wrong is an issue, never an error. */
export class OpenSource implements SourceInput {
  readonly #issues = new Issues();
  readonly #resume: Resume | null;
  readonly #progress: (bytes: number) => void;
  #ok = 0;
  #bad = 0;
  #counted = false;
  #failed = false;
  /** Hex digest over the content; after reading on, over the digest before and what was added. Null when nothing was read. */
  sha: string | null = null;
  bytesRead: number | null = null;

  /**
   * @param resume where to read on, or null to read from the start
   * @param progress told how many further bytes were read
   */
  constructor(
    readonly found: FoundSource,
    resume: Resume | null = null,
    progress: (bytes: number) => void = () => undefined,
  ) {
    this.#resume = resume;
    this.#progress = progress;
    if (found.at.type === 'refused') this.#fail(found.at.issue);
  }

  get id(): string {
    return this.found.id;
  }
  get kind(): SourceInput['kind'] {
    return this.found.kind;
  }
  get label(): string {
    return this.found.label;
  }
  get path(): string {
    return this.found.path;
  }
  /** What went wrong so far. */
  get issues(): Issue[] {
    return this.#issues.list();
  }
  /** What was understood and what was not; null when nothing could be read, or nobody counted. */
  get counts(): { ok: number; bad: number } | null {
    return this.#failed || !this.#counted ? null : { ok: this.#ok, bad: this.#bad };
  }

  issue(code: IssueCode, severity: Severity, line: number | null, detail: string): void {
    this.#issues.add(code, severity, line, detail);
  }

  count(ok: number, bad: number): void {
    this.#counted = true;
    this.#ok += ok;
    this.#bad += bad;
  }

  #fail(issue: Issue): null {
    if (!this.#failed) this.#issues.addAll([issue]);
    this.#failed = true;
    return null;
  }

  #unreadable(): null {
    const git = this.found.at.type === 'git' || this.found.at.type === 'ledger';
    return this.#fail(
      git
        ? {
            code: 'git_failed',
            severity: 'error',
            line: null,
            detail: 'git did not give a log of this folder in time, or is not installed.',
          }
        : {
            code: 'not_readable',
            severity: 'error',
            line: null,
            detail: 'The file is there but cannot be read.',
          },
    );
  }

  async bytes(): Promise<Uint8Array | null> {
    const { at } = this.found;
    if (at.type !== 'file') return null;
    try {
      const bytes = await readPlainFile(at.file, LIMITS.fileBytes);
      if (bytes === null) {
        const limit = Math.round(LIMITS.fileBytes / 1024 / 1024);
        return this.#fail({
          code: 'file_too_large',
          severity: 'error',
          line: null,
          detail: `The file is larger than ${limit} MB, so it was not read.`,
        });
      }
      this.sha = sha256(bytes);
      this.bytesRead = bytes.length;
      this.#progress(bytes.length);
      return bytes;
    } catch {
      return this.#unreadable();
    }
  }

  async text(): Promise<string | null> {
    const { at } = this.found;
    if (at.type === 'refused') return null;
    if (at.type === 'file') {
      const bytes = await this.bytes();
      return bytes === null ? null : decode(bytes, this.#issues);
    }
    try {
      const lines: string[] = [];
      for await (const line of at.type === 'git' ? gitLines(at.dir) : ledgerLines(at.dir, at.ledger))
        lines.push(`${line}\n`);
      const text = lines.join('');
      this.sha = sha256(text);
      this.bytesRead = Buffer.byteLength(text);
      return text;
    } catch (error) {
      if (!(error instanceof RepositoryRefused)) return this.#unreadable();
      return this.#fail({ code: 'outside_folder', severity: 'error', line: null, detail: error.message });
    }
  }

  async *lines(): AsyncGenerator<SourceLine> {
    const { at } = this.found;
    if (at.type === 'refused') return;
    try {
      if (at.type === 'file') yield* this.#fileLines(at.file);
      else yield* this.#textLines(await this.text());
    } catch {
      // What the adapter itself throws while it holds a line does not come here.
      this.#unreadable();
    }
  }

  *#textLines(text: string | null): Generator<SourceLine> {
    let offset = 0;
    for (const line of text === null ? [] : linesOf(text, this.#issues)) {
      yield { ...line, offset };
      offset += Buffer.byteLength(line.text) + 1;
    }
  }

  async *#fileLines(file: string): AsyncGenerator<SourceLine> {
    const start = this.#resume ?? { offset: 0, no: 1, sha: '' };
    const { handle, size, ino } = await openPlainFile(file);
    try {
      if (start.offset === 0) {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
        const wide =
          bytesRead === 2 &&
          ((buffer[0] === 0xff && buffer[1] === 0xfe) || (buffer[0] === 0xfe && buffer[1] === 0xff));
        // UTF-16, which some shells write, is read as a whole.
        if (wide) return yield* this.#textLines(await this.text());
      }
      const hash = createHash('sha256').update(start.sha);
      let read = 0;
      const tell = this.#progress;
      const chunks = async function* (): AsyncGenerator<Buffer> {
        // What is appended while it is read belongs to the next reading, so reading ends.
        while (start.offset + read < size) {
          const want = Math.min(CHUNK, size - start.offset - read);
          const { buffer, bytesRead } = await handle.read(
            Buffer.allocUnsafe(want),
            0,
            want,
            start.offset + read,
          );
          if (bytesRead === 0) return;
          const chunk = buffer.subarray(0, bytesRead);
          hash.update(chunk);
          read += bytesRead;
          tell(bytesRead);
          yield chunk;
        }
      };
      yield* streamLines(chunks(), start, this.#issues);
      this.sha = hash.digest('hex');
      this.bytesRead = start.offset + read;
      const now = await handle.stat();
      const there = await openPlainFile(file).then(
        async (opened) => {
          await opened.handle.close();
          return opened.ino;
        },
        () => null,
      );
      if (start.offset + read < size || now.size < size || there !== ino)
        this.issue(
          'changed_while_reading',
          'warning',
          null,
          'The file became shorter or was replaced while it was read; it is read again.',
        );
    } finally {
      await handle.close();
    }
  }
}
