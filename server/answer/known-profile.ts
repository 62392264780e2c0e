import type { RecordHandle, RecordProfile } from '../record/store.ts';

/**
 * The profile of a record, read again only when the record's fingerprint is another one. What readings have in common is
 * one and the same object.
 * @param called what the project may be called beside its name
 */
export function knownProfile(
  record: Pick<RecordHandle, 'profile' | 'store'>,
  called: readonly string[],
): () => Promise<RecordProfile> {
  let known: Promise<RecordProfile> | null = null;
  let of = '';
  return async () => {
    const fingerprint = await record.store.fingerprint();
    if (known === null || of !== fingerprint) {
      const made = record.profile().then((profile) => ({ ...profile, called }));
      of = fingerprint;
      known = made;
      // A reading that failed is tried again by whoever asks next.
      made.catch(() => {
        if (known === made) known = null;
      });
    }
    const profile = await known;
    // The record moved while it was read: what was read is of another one, and not kept for this.
    if (profile.fingerprint !== fingerprint) of = profile.fingerprint;
    return profile;
  };
}
