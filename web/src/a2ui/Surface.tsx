import { A2uiSurface } from '@a2ui/react/v0_9';
import { Component, type ReactNode, useCallback, useState, useSyncExternalStore } from 'react';
import type { Host } from './host.ts';
import { DrawnContext, type PageActions, PageContext } from './page-context.ts';

interface SurfaceProps {
  host: Host;
  page: PageActions;
  /** Messages may still come: placeholders pulse. */
  live: boolean;
}

/**
 * Draws the surface of one answer. It stays covered until its container has laid itself out, because the library
 * shows a placeholder of its own before that.
 */
export function Surface({ host, page, live }: SurfaceProps): ReactNode {
  const surface = useSyncExternalStore(host.subscribe, host.surface);
  const [drawn, setDrawn] = useState(false);
  const onDrawn = useCallback(() => setDrawn(true), []);
  if (surface === null) return null;
  return (
    <SurfaceBoundary host={host} onFailure={(error) => page.cardFailed(surface.id, '', error)}>
      <PageContext value={page}>
        <DrawnContext value={onDrawn}>
          <div className="surface" hidden={!drawn} data-live={live || undefined}>
            <A2uiSurface surface={surface} />
          </div>
        </DrawnContext>
      </PageContext>
    </SurfaceBoundary>
  );
}

/** Most times a surface that failed as a whole is tried again with new messages. */
const TRIES = 3;

interface BoundaryProps {
  host: Host;
  onFailure: (error: unknown) => void;
  children: ReactNode;
}

/** The last net: a failure outside every card (the renderer itself) leaves a sentence, and new messages a new try. */
class SurfaceBoundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };
  private tries = 0;
  private unsubscribe: (() => void) | null = null;

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onFailure(error);
    this.tries += 1;
    if (this.tries >= TRIES) return;
    this.unsubscribe?.();
    this.unsubscribe = this.props.host.subscribe(() => {
      this.unsubscribe?.();
      this.unsubscribe = null;
      this.setState({ failed: false });
    });
  }

  override componentWillUnmount(): void {
    this.unsubscribe?.();
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <p className="undrawn" role="alert">
        These cards could not be drawn. Ask again, or reload the page.
      </p>
    );
  }
}
