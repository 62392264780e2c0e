/** Types that lines of a transcript have. */
const TYPES =
  /"type"\s*:\s*"(?:user|assistant|system|summary|attachment|progress|queue-operation|file-history-snapshot|ai-title|custom-title|last-prompt|mode|permission-mode|worktree-state|pr-link|agent-setting)"/;
/** Members that only its lines have. */
const OWN = /"(?:sessionId|leafUuid|parentUuid|isSidechain|isSnapshotUpdate)"\s*:/;

/** Whether a file begins like a transcript. The first line may be longer than what is looked at. */
export function isTranscript(head: string): boolean {
  const text = head.replace(/^\uFEFF/, '').trimStart();
  if (!text.startsWith('{') || !OWN.test(text)) return false;
  return TYPES.test(text) || (/"message"\s*:/.test(text) && /"usage"\s*:/.test(text));
}

/** Whether a file begins like the output of a headless session. */
export function isHeadless(head: string): boolean {
  const text = head.replace(/^\uFEFF/, '').trimStart();
  if (!/^[[{]/.test(text) || !/"session_id"\s*:/.test(text)) return false;
  return (
    /"type"\s*:\s*"result"/.test(text) ||
    (/"type"\s*:\s*"system"/.test(text) && /"subtype"\s*:\s*"(?:init|hook_started|hook_response)"/.test(text))
  );
}
