/** What ends or moves what is open beside its button. */
export interface WhileOpen {
  /** Whether a press on it is one outside. */
  outside: (target: Node) => boolean;
  close: () => void;
  /** What was scrolled, or the window that was resized, may have moved the button. */
  moved: (target: Node | undefined) => void;
}

/** whileOpen hears that until the returned function is called. A transcript has a menu in each row, and scrolls as its agent writes: nothing listens for what is closed. */
export function whileOpen({ outside, close, moved }: WhileOpen): () => void {
  const pressed = ({ target }: Event) => outside(target as Node) && close();
  const scrolled = ({ target }: Event) => moved(target as Node);
  const resized = () => moved(undefined);
  addEventListener('pointerdown', pressed);
  addEventListener('scroll', scrolled, true);
  addEventListener('resize', resized);
  return () => {
    removeEventListener('pointerdown', pressed);
    removeEventListener('scroll', scrolled, true);
    removeEventListener('resize', resized);
  };
}
