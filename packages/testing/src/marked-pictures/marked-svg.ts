import type { Marks } from './marks.ts';
import { markedJpeg, markedPng } from './marked-raster.ts';

/** Creates an SVG with marks in all places that are not rendered. */
export function markedSvg(marks: Marks): Buffer {
  const mark = () => marks.text();
  const data = (type: string, file: Buffer) =>
    `data:image/${type};base64,${file.toString('base64')}`;
  const names = { fill: mark(), filter: mark(), group: mark(), result: mark(), class: mark() };
  const attributes = () =>
    marks
      .sample([
        `data-${mark()}="${mark()}"`,
        `aria-label="${mark()}"`,
        `inkscape:label="${mark()}"`,
        `xml:lang="${mark()}"`,
        `onclick="${mark()}"`,
        `style="-inkscape-font-specification:${mark()};fill-rule:evenodd;--a:${mark()}"`,
        `class="${names.class} ${mark()}"`,
        `font-weight="${mark()}"`,
      ])
      .join(' ');
  const unrendered = () =>
    marks
      .sample([
        `<!-- ${mark()} -->`,
        `<?${mark()} ${mark()}?>`,
        `<title>${mark()}</title>`,
        `<desc ${attributes()}>${mark()}</desc>`,
        `<metadata><rdf:RDF><cc:Work rdf:about="${mark()}"><dc:creator>${mark()}</dc:creator></cc:Work></rdf:RDF></metadata>`,
        `<sodipodi:namedview id="${mark()}"><inkscape:grid type="${mark()}"/></sodipodi:namedview>`,
        `<script>${mark()}</script>`,
        `<animate attributeName="x" values="${mark()}"/>`,
        `<unknown name="${mark()}">${mark()}</unknown>`,
        `<view id="${mark()}"/>`,
        `<style>/* ${mark()} */ .${mark()} { font-family: ${mark()} } .${names.class} { stroke: #00f; x-a: ${mark()} } @font-face { src: url(${mark()}) }</style>`,
        mark(),
      ])
      .join('\n');
  const drawn = marks.sample([
    `<rect id="${mark()}" x="2" y="3" width="20" height="10" fill="url(#${names.fill})" ${attributes()}/>`,
    `<g id="${names.group}" ${attributes()}><title>${mark()}</title><circle cx="30" cy="20" r="9" fill="#0a0" class="${names.class}"/></g>`,
    `<use href="#${names.group}" x="5"/>`,
    `<use href="https://example.org/${mark()}#a"/>`,
    `<a href="https://example.org/${mark()}"><path d="M5 35h30v4z" fill="red"/></a>`,
    `<circle r="9" cx="9" cy="30" filter="url(#${names.filter})"/>`,
    `<image x="20" y="20" width="18" height="9" href="${data('jpeg', markedJpeg(marks))}"/>`,
    `<image x="1" y="20" width="9" height="9" href="${data('png', stillPng(marks))}"/>`,
    `<image href="https://example.org/${mark()}.png" visibility="hidden" width="9" height="9"/>`,
    `<rect width="4" height="4" fill="url(#${mark()}) green"/>`,
  ]);
  const prolog = [
    `<?xml version="1.0" encoding="UTF-8"?>\n<!-- ${mark()} -->`,
    `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "https://example.org/${mark()}">`,
  ].filter(() => marks.integer(2) === 0);
  return Buffer.from(
    prolog.join('') +
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" ' +
      'xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns:dc="http://purl.org/dc/elements/1.1/" ' +
      'xmlns:cc="http://creativecommons.org/ns#" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" ' +
      `xmlns:own="https://example.org/${mark()}" width="40" height="40" viewBox="0 0 40 40" ` +
      `sodipodi:docname="${mark()}" xml:base="https://example.org/${mark()}">` +
      `<defs><linearGradient id="${names.fill}">${unrendered()}<stop offset="0" stop-color="#f00"/><stop offset="1" stop-color="#00f"/></linearGradient>` +
      `<filter id="${names.filter}"><feGaussianBlur stdDeviation="1" result="${names.result}"/><feOffset in="${names.result}" dx="1"/></filter></defs>` +
      `${unrendered()}${drawn.map((part) => part + unrendered()).join('')}</svg><!-- ${mark()} -->`,
  );
}

/** Creates a PNG without animation, as animations are not allowed inside an SVG. */
function stillPng(marks: Marks): Buffer {
  for (;;) {
    const file = markedPng(marks);
    if (!file.includes('acTL')) return file;
  }
}
