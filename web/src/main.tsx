import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/cards.css';
import './styles/shell.css';
import './styles/projects.css';
import './styles/chat.css';
import './styles/asking.css';
import './styles/drawer.css';
import './styles/boards.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createCatalog } from './a2ui/catalog.ts';
import { App } from './app/App.tsx';
import { createMemory, tabStorage } from './app/memory.ts';
import { browserAddress } from './app/route.ts';
import { createSession } from './app/session.ts';
import { createBoardDesk } from './boards/desk.ts';
import { cards } from './cards/index.ts';
import { visibilityOf } from './live/live.ts';

const place = document.getElementById('app');
if (place !== null) {
  const session = createSession({
    catalog: createCatalog(cards),
    address: browserAddress(window),
    memory: createMemory(tabStorage(window)),
    visibility: visibilityOf(document),
    onBoards: () => void boards.load(),
  });
  const boards = createBoardDesk({
    onRedraw: session.redrawBoard,
    onRemoved(id) {
      if (session.isOpenBoard(id)) session.open(null);
    },
    onRestored: session.openBoard,
  });
  session.start();
  void boards.load();
  createRoot(place).render(
    <StrictMode>
      <App session={session} boards={boards} />
    </StrictMode>,
  );
}
