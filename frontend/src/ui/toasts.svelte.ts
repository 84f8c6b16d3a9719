/** What a toast offers to do. */
export interface ToastAction {
  label: string;
  /** The keys that do the same. */
  keys?: string;
  run(): void;
}

export interface Toast {
  text: string;
  tone: 'ok' | 'bad' | 'plain';
  action?: ToastAction;
  /** How long it stays, unless hovered or focused, in milliseconds. */
  ms: number;
}

class Toasts {
  /** The one that is shown. */
  current = $state.raw<Toast | undefined>();

  /** Shows a toast in place of the one that stands. */
  show(text: string, options: Partial<Omit<Toast, 'text'>> = {}): void {
    this.current = { tone: 'plain', ms: 5000, ...options, text };
  }

  /** Takes the toast away, if it is still the one that is shown. */
  dismiss(toast: Toast | undefined = this.current): void {
    if (this.current === toast) this.current = undefined;
  }
}

/** One toast at a time, for the whole page. */
export const toasts = new Toasts();
