// Where a link in an agent's words leads: each page says how it opens one.

type Show = (url: string) => void;
let show: Show = (url) => void open(url, '_blank', 'noopener,noreferrer');

/** openLinksBy has links opened in another way than in a tab. */
export function openLinksBy(how: Show): void {
  show = how;
}

/** openLink opens an address that safeURL let pass. */
export function openLink(url: string): void {
  show(url);
}
