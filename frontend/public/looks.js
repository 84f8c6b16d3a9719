// Has the page look as it did last, before it is painted first; see src/ui/looks.ts.
try {
  Object.assign(document.documentElement.dataset, JSON.parse(localStorage.getItem('beckon.looks') ?? '{}'));
} catch {
  // A browser that keeps nothing begins with the design's looks.
}
