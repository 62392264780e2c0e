import { useEffect, useState } from 'react';
import type { AskingMenu } from '../../../shared/wire.ts';
import { getMenu } from './read.ts';

const NOTHING: AskingMenu = { features: [], questions: [], subjects: [] };

/**
 * What can be asked of the project on the page, fetched once it is wanted and again when the record is another one.
 * @param record fingerprint of the record the page shows, or null
 */
export function useMenu(project: string | null, record: string | null, wanted: boolean): AskingMenu {
  const [menu, setMenu] = useState(NOTHING);
  useEffect(() => {
    if (!wanted || record === null) return;
    let current = true;
    void getMenu(project).then((read) => {
      if (current) setMenu(read);
    });
    return () => {
      current = false;
    };
  }, [project, record, wanted]);
  return menu;
}
