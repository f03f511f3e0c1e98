/** Returns the HTML of a page that shows all screenshots, with a heading for each scene. */
export function createOverviewPage(files: readonly string[]): string {
  const groups = Map.groupBy(files, (file) => file.split('.')[0] ?? file);
  const sections = [...groups].map(([scene, pictures]) => {
    const figures = pictures
      .toSorted()
      .map(
        (file) =>
          `<figure><a href="${file}"><img src="${file}" alt="" loading="lazy"></a><figcaption>${file}</figcaption></figure>`,
      );
    return `<h2 id="${scene}">${scene}</h2><div>${figures.join('')}</div>`;
  });
  const style = `body { margin: 2rem; font: 14px/1.4 system-ui, sans-serif; background: #777; }
div { display: flex; flex-wrap: wrap; gap: 1rem; align-items: start; }
figure { margin: 0; } figcaption { font-size: 12px; } img { height: 420px; border-radius: 6px; }`;
  return `<!doctype html><meta charset="utf-8"><title>Parley: screens</title><style>${style}</style>
<h1>${files.length} screens</h1>${sections.join('\n')}\n`;
}
