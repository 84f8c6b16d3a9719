import { t } from '../i18n/index.svelte';
import { offerCommands, takeKeys } from '../state';
import type { MenuItem } from '../ui/Menu.svelte';
import type { Control } from './control.svelte';

/** A pane, as its seat knows it. */
interface Pane {
  control: Control;
  /** The id of its task or session. */
  id: string;
  /** What the palette calls it. */
  name: string;
  pinned: boolean;
  /** What can be done to it beside moving it. */
  own: MenuItem[];
}

/** Seat is what each pane has as one among others: the focus, its size, what its menu moves, and the way out of it. */
export class Seat {
  root = $state<HTMLElement>();

  readonly focused: boolean = $derived.by(() => {
    const { control, id } = this.pane();
    return control.focus === id;
  });
  readonly maximised: boolean = $derived.by(() => {
    const { control, id } = this.pane();
    return control.maximised === id;
  });
  readonly items: MenuItem[] = $derived.by(() => {
    const { control, id, pinned, own } = this.pane();
    return [
      { label: t(pinned ? 'mission.unpin' : 'mission.pin'), run: this.pin },
      { label: t(this.maximised ? 'mission.restore' : 'mission.maximise'), run: this.maximise },
      ...own,
      { label: t('mission.remove'), run: () => control.remove(id) },
    ];
  });

  constructor(private readonly pane: () => Pane) {}

  /** Hears the keys of the pane and lists its commands, as long as the component is there. */
  follow(press: (cap: string, event: KeyboardEvent) => boolean): void {
    $effect(() => takeKeys({ element: () => this.root, focusOnly: true, press }));
    $effect(() =>
      offerCommands(() => {
        if (!this.focused) return undefined;
        const { control, id, name } = this.pane();
        return {
          title: t('palette.pane_', { name }),
          commands: [...this.items, ...control.moves(id)],
        };
      }),
    );
  }

  /** Whether the pane itself has the focus, not what is in it. */
  hasFocus(): boolean {
    return document.activeElement === this.root;
  }

  /** Notes that the focus came here. */
  readonly take = (): void => {
    const { control, id } = this.pane();
    control.focus = id;
  };

  readonly pin = (): void => {
    const { control, id } = this.pane();
    control.pin(id);
  };

  readonly maximise = (): void => {
    const { control, id } = this.pane();
    control.maximise(id);
  };

  /** Esc goes from inside a pane to the pane, and from one that fills everything to all. */
  readonly back = (): boolean => {
    if (this.hasFocus() && !this.maximised) return false;
    if (this.hasFocus()) this.maximise();
    else this.root?.focus({ preventScroll: true });
    return true;
  };

  /** Shows what is cut in it whole, by `read`; else the pane fills everything. False where it has not the focus itself. */
  readonly enlarge = (read: () => boolean | undefined): boolean => {
    if (!this.hasFocus()) return false;
    if (!read()) this.maximise();
    return true;
  };
}
