import type { EvidenceRequest } from '../a2ui/page-context.ts';

/** What the chat can do to the page. */
export interface ChatActions {
  ask(question: string): void;
  /** Opens an earlier answer. */
  open(id: string): void;
  /** Deletes a kept answer. */
  forget(id: string): void;
  /** Deletes every kept answer. */
  forgetAll(): void;
  /** Says what can be asked. */
  help(): void;
  openEvidence(request: EvidenceRequest): void;
}
