// Keeps the page where it is: what would load something else in its place
// opens outside, or does nothing.
import { api } from '../bridge';
import { attempt } from '../state';
import { takenByPage } from './mention';

const outside = ['http:', 'https:', 'mailto:'];

/** Opens links to elsewhere in the system's browser, until the returned function is called. */
export function openLinksOutside(): () => void {
  const keep = (event: MouseEvent) => {
    if (event.defaultPrevented || !(event.target instanceof Element)) return;
    const link = event.target.closest<HTMLAnchorElement>('a[href]');
    if (
      link === null ||
      (link.origin === location.origin && link.protocol === location.protocol && event.button === 0)
    )
      return;
    event.preventDefault();
    if (event.button < 2 && outside.includes(link.protocol))
      void attempt(() => api.openUrl(link.href));
  };
  addEventListener('click', keep);
  addEventListener('auxclick', keep);
  return () => {
    removeEventListener('click', keep);
    removeEventListener('auxclick', keep);
  };
}

/** Keeps a dropped file or address from being loaded, until the returned function is called. */
export function refuseDrops(): () => void {
  const keep = (event: DragEvent) => {
    if (event.defaultPrevented) {
      if (event.type === 'drop') takenByPage();
      return;
    }
    const types = event.dataTransfer?.types ?? [];
    if (types.includes('Files') || (types.includes('text/uri-list') && !isText(event.target)))
      event.preventDefault();
  };
  addEventListener('dragover', keep);
  addEventListener('drop', keep);
  return () => {
    removeEventListener('dragover', keep);
    removeEventListener('drop', keep);
  };
}

/** Whether a dropped address becomes text where it falls. */
function isText(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
}
