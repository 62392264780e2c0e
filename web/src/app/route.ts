/** The kinds of address the page has; each may stand below a project other than the default one. */
export type Route = ({ view: 'start' } | { view: 'answer'; id: string } | { view: 'board'; id: string }) & {
  project?: string | null;
};

const PLACE = /^(?:\/p\/([a-z0-9][a-z0-9-]{0,59}))?(?:\/([ab])\/([\w-]{1,100}))?\/?$/;

/** The route of a path; anything unknown is the starting view of the default project. */
export function parseRoute(path: string): Route {
  const [, project, kind, id] = PLACE.exec(path) ?? [];
  const below = project === undefined ? {} : { project };
  if (id === undefined) return { view: 'start', ...below };
  return kind === 'a' ? { view: 'answer', id, ...below } : { view: 'board', id, ...below };
}

/** The path of a route. */
export function routePath(route: Route): string {
  const below = route.project == null ? '' : `/p/${route.project}`;
  if (route.view === 'start') return below === '' ? '/' : below;
  return `${below}/${route.view === 'answer' ? 'a' : 'b'}/${route.id}`;
}

const FIGURE = /^#figure=([\w:.-]{1,128})$/;

/** The figure an address points at inside its answer, or null. */
export const figureInHash = (hash: string): string | null => FIGURE.exec(hash)?.[1] ?? null;

/** The browser's address bar and history, as far as the page needs them. */
export interface Address {
  path(): string;
  push(path: string): void;
  /** Calls back when the person goes back or forward. */
  onChange(listener: () => void): () => void;
}

/** The address bar of a window. */
export function browserAddress(view: Window): Address {
  return {
    path: () => view.location.pathname,
    push(path) {
      if (path !== view.location.pathname) view.history.pushState(null, '', path);
    },
    onChange(listener) {
      view.addEventListener('popstate', listener);
      return () => view.removeEventListener('popstate', listener);
    },
  };
}
