import { Component, type ErrorInfo, type ReactNode } from 'react';

interface BoundaryProps {
  /** Data the drawing is made from; a new identity is new data, and a new chance. */
  spec: unknown;
  draw: (spec: unknown) => ReactNode;
  onFailure: (error: unknown) => void;
}
interface BoundaryState {
  spec: unknown;
  failed: boolean;
}

/**
 * Keeps the failure of one card inside that card: the last drawing that worked stays, with a sentence saying so,
 * until data arrives that can be drawn.
 */
export class CardBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { spec: this.props.spec, failed: false };
  private good: { spec: unknown } | null = null;

  static getDerivedStateFromError(): Partial<BoundaryState> {
    return { failed: true };
  }

  static getDerivedStateFromProps(props: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return props.spec === state.spec ? null : { spec: props.spec, failed: false };
  }

  override componentDidMount(): void {
    this.remember();
  }

  override componentDidUpdate(): void {
    this.remember();
  }

  override componentDidCatch(error: unknown, _info: ErrorInfo): void {
    this.props.onFailure(error);
  }

  private remember(): void {
    if (!this.state.failed) this.good = { spec: this.state.spec };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.draw(this.props.spec);
    if (this.good === null || this.good.spec === this.state.spec) return <Undrawn />;
    return (
      <div className="kept">
        <LastGood spec={this.good.spec} draw={this.props.draw} />
        <p className="kept-says">
          The newest data of this card could not be drawn. What is here is the last good drawing.
        </p>
      </div>
    );
  }
}

/** The old drawing may fail the second time too (a chart that lost its code): then the plain sentence stands alone. */
class LastGood extends Component<Pick<BoundaryProps, 'spec' | 'draw'>, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }
  override render(): ReactNode {
    return this.state.failed ? <Undrawn /> : this.props.draw(this.props.spec);
  }
}

function Undrawn(): ReactNode {
  return (
    <section className="undrawn">
      <h2>This card could not be drawn</h2>
      <p>
        Its data is there, drawing it failed. The other cards are not affected. Ask again to try once more.
      </p>
    </section>
  );
}
