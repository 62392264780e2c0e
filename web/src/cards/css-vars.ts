/** Custom properties may be set in a style object: they hand a measure to the style sheet without a rule of their own. */
declare module 'react' {
  interface CSSProperties {
    [name: `--${string}`]: string | number | undefined;
  }
}

export {};
