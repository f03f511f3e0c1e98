import { describe, expect, test } from 'vitest';
import { createMemorySource, MalformedFileError, TooComplexMediaError } from '../byte-source.ts';
import { nestedUses, svgOf } from '../../../../test/expensive-svgs.ts';
import { jpegWithMetadata, sample } from '../../../../test/samples.ts';
import { parseSvg } from './parse-svg.ts';
import { simplifySvg } from './simplify-svg.ts';
import { svg } from './svg.ts';

async function read(text: string) {
  const file = Buffer.from(text);
  const { width, height, pieces } = await svg.read(createMemorySource(file));
  return { width, height, text: pieces.toBuffer(file).toString() };
}

/** Returns what is kept of the content of an SVG of 10 by 10 pixels. */
async function cleanedContent(content: string): Promise<string> {
  const { text } = await read(svgOf(content));
  return text.slice(text.indexOf('>') + 1, text.lastIndexOf('</svg>'));
}

describe('the size of an SVG', () => {
  test.each([
    ['width="40" height="30"', 40, 30],
    ['width=" 40.6px " height="30"', 41, 30],
    ['width="1in" height="72pt"', 96, 96],
    ['width="40"', 40, 150],
    ['', 300, 150],
    ['width="50%" height="50%" viewBox="0 0 20 10"', 20, 10],
    ['width="40" viewBox="0 0 20 10"', 40, 20],
    ['width="0" height="0" viewBox="0,0,20,10"', 20, 10],
    ['width="1000000" height="500000"', 4096, 2048],
  ])('an SVG with the attributes "%s" is %d by %d pixels', async (attributes, width, height) => {
    const found = await read(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}/>`);
    expect(found).toMatchObject({ width, height });
  });

  test('ignores a length with thousands of digits', async () => {
    const found = read(svgOf('').replace('width="10"', `width="${'9'.repeat(8_000)}x"`));
    expect((await found).width).toBe(10);
  });
});

describe('cleaning an SVG', () => {
  test.each([
    ['shapes', '<g opacity=".5"><rect x="1" width="5" height="5" rx="1"/><path d="M0 0h9z"/></g>'],
    [
      'texts',
      '<text x="1" y="9" font-size="8" text-anchor="middle">Grüße <tspan dy="2">!</tspan></text>',
    ],
    [
      'gradients',
      '<rect width="9" height="9" fill="url(#i1)"/><radialGradient id="i1"><stop offset="0" stop-color="#f00"/></radialGradient>',
    ],
    [
      'shadows',
      '<circle r="5" filter="url(#i1)"/><filter id="i1"><feGaussianBlur stdDeviation="2" in="SourceAlpha" result="r1"/><feOffset dy="1" in="r1"/></filter>',
    ],
    ['references', '<defs><g id="i1"><line x2="5" y2="5"/></g></defs><use href="#i1" x="2"/>'],
  ])('keeps %s', async (_, content) => {
    expect(await cleanedContent(content)).toBe(content);
  });

  test('turns style sheets into attributes', async () => {
    const content =
      '<style>/* x */ @media print { rect { fill: blue } } .a, #b { fill: red } g .c { stroke: blue }' +
      ' rect { fill: green; opacity: .5 !important } .a:hover { fill: pink }</style>' +
      '<rect class="a"/><rect id="b" style="fill: white; opacity: 1"/><g><line class="c d"/></g>';
    expect(await cleanedContent(content)).toBe(
      '<rect fill="red" opacity=".5"/><rect fill="white" opacity=".5"/><g><line stroke="blue"/></g>',
    );
  });

  test('keeps the fallback of a switch', async () => {
    const content =
      '<switch><foreignObject requiredExtensions="x"/><g><rect/></g><text>No.</text></switch>';
    expect(await cleanedContent(content)).toBe('<g><g><rect/></g></g>');
  });

  test('keeps embedded images without their metadata', async () => {
    const of = (file: Buffer) =>
      `<image href="data:image/jpeg;base64,${file.toString('base64')}" width="9" height="9"/>`;
    const plain = await cleanedContent(of(sample('picture.jpg')));
    expect(plain).toContain('<image href="data:image/jpeg;base64,/9j/');
    expect(await cleanedContent(of(jpegWithMetadata()))).toBe(plain);
  });
});

test('removes the parts of an SVG that are not drawn', async () => {
  const remaining = await cleanedContent(
    '<!-- Anna --><?anna was?><title>Anna</title><desc>Anna</desc><metadata><a>Anna</a></metadata>' +
      '<script>Anna</script><rect id="Anna" class="Anna" data-a="Anna" onclick="anna()" fill="none">' +
      '<animate attributeName="x" values="0;9"/><title>Anna</title></rect>' +
      '<use href="https://anna.example/#a"/><image href="https://anna.example/a.png"/>' +
      '<rect fill="url(https://anna.example/#a)" style="-anna: 1; fill: anna-1(2)"/>' +
      '<anna:view xmlns:anna="https://anna.example"><rect/></anna:view>Anna',
  );
  expect(remaining).toBe('<rect fill="none"/><use/><image/><rect/>');
});

describe('reading an SVG that is too expensive to display', () => {
  const png = `data:image/png;base64,${sample('picture.png').toString('base64')}`;
  const box = 'width="10" height="10"';
  test.each([
    ['ten uses on each of six levels', nestedUses()],
    ['a use of itself', svgOf('<g id="a"><use href="#a"/></g>')],
    ['a cycle of uses', svgOf('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>')],
    ['deeply nested groups', svgOf('<g>'.repeat(200) + '</g>'.repeat(200))],
    ['deeply nested unknown elements', svgOf('<x>'.repeat(200) + '</x>'.repeat(200))],
    ['many elements', svgOf('<g/>'.repeat(40_000))],
    ['patterns of patterns', nestedPaints('pattern', 'fill')],
    ['masks of masks', nestedPaints('mask', 'mask')],
    ['clip paths of clip paths', nestedPaints('clipPath', 'clip-path')],
    [
      'a marker with many elements at many points',
      svgOf(
        `<marker id="m">${'<rect/>'.repeat(300)}</marker>` +
          `<path marker-mid="url(#m)" d="M0 0${'h1'.repeat(300)}"/>`,
      ),
    ],
    ['the whole image painted over a thousand times', svgOf(`<rect ${box}/>`.repeat(1_000))],
    ['a path of a million points', svgOf(`<path d="M0 0${'h1'.repeat(1_000_000)}"/>`)],
    [
      'a long line with tiny dashes',
      svgOf('<path stroke="red" stroke-dasharray=".001" d="M0 0H9e9"/>'),
    ],
    [
      'tiny dashes relative to pathLength',
      svgOf('<path stroke="red" stroke-dasharray="1" pathLength="1e9" d="M0 0H9"/>'),
    ],
    ['a very long text', svgOf(`<text>${'a'.repeat(30_000)}</text>`)],
    [
      'a filter with many steps',
      svgOf(`<filter id="f">${'<feOffset/>'.repeat(300)}</filter><rect filter="url(#f)"/>`),
    ],
    [
      'a noise filter',
      svgOf('<filter id="f"><feTurbulence numOctaves="1000"/></filter><rect filter="url(#f)"/>'),
    ],
    [
      'embedded HTML',
      svgOf('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">Hi</p></foreignObject>'),
    ],
    ['an embedded SVG', svgOf('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>')],
    ['an embedded animation', svgOf(`<image href="data:image/gif;base64,${animatedGif()}"/>`)],
    ['attribute selectors', svgOf('<style>[x] { fill: url(#a) }</style>')],
    ['a file of five megabytes', svgOf(' '.repeat(5_000_000))],
    [
      'an embedded image drawn many times',
      svgOf(`<image id="a" href="${png}" ${box}/>` + '<use href="#a"/>'.repeat(400)),
    ],
    [
      'a rule of many declarations for many elements',
      svgOf(`<style>* {${'marker: none;'.repeat(10_000)}}</style>${'<g/>'.repeat(10_000)}`),
    ],
    [
      'a selector of many classes for many elements',
      svgOf(`<style>${'.a'.repeat(10_000)} {fill: red}</style>${'<g class="a"/>'.repeat(10_000)}`),
    ],
    [
      'a long value for many elements',
      svgOf(`<style>* {transform: scale(${'1 '.repeat(5_000)})}</style>${'<g/>'.repeat(10_000)}`),
    ],
    [
      'a long list of coordinates drawn many times',
      svgOf(
        `<text id="a" fill="none" x="${'1 '.repeat(40_000)}">a</text>${'<use href="#a"/>'.repeat(1_000)}`,
      ),
    ],
    ['a long list', svgOf(`<text x="${'1 '.repeat(60_000)}">a</text>`)],
    ['patterns of patterns, inherited', nestedGroups('pattern', 'fill', '')],
    ['patterns of patterns, inherited explicitly', nestedGroups('pattern', 'fill', 'inherit')],
    ['patterns of patterns after unknown colors', nestedGroups('pattern', 'fill', 'unknown')],
    ['patterns of patterns after malformed colors', nestedGroups('pattern', 'fill', '#12345')],
    [
      'patterns of patterns in upper case',
      nestedPaints('pattern', 'fill').replaceAll('url(', 'URL('),
    ],
    ['tiny dashes that a pattern inherits', inheritedDashes('')],
    ['tiny dashes after negative ones', inheritedDashes('stroke-dasharray="-1"')],
    ['tiny dashes after malformed ones', inheritedDashes('stroke-dasharray="5."')],
    [
      'tiny dashes after a negative length',
      svgOf(
        '<g stroke="red" stroke-dasharray=".001"><path pathLength="-1e12" d="M0 0H9"/>' +
          `${'<path d="M0 0H90"/>'.repeat(9)}</g>`,
      ),
    ],
    [
      'tiny dashes in pixels of the screen',
      svgOf(
        '<path transform="scale(1e6)" vector-effect="non-scaling-stroke" stroke="red" ' +
          'stroke-dasharray=".01" d="M0 0H100"/>',
      ).replace(/<path.*\/>/, (path) => path.repeat(3)),
    ],
    [
      'the whole image painted with transforms that browsers ignore',
      svgOf(`<rect ${box} transform="scale(0 0 0)"/>`.repeat(1_000)),
    ],
    [
      'a filter whose steps double',
      svgOf(
        `<filter id="f">${Array.from(
          { length: 60 },
          (_, i) => `<feBlend in="r${i}" in2="r${i}" result="r${i + 1}"/>`,
        ).join('')}</filter><rect filter="url(#f)"/>`,
      ),
    ],
    [
      'nested clip paths',
      svgOf(
        '<clipPath id="c"><text>a</text></clipPath>' +
          `${'<g clip-path="url(#c)">'.repeat(90)}<rect ${box}/>${'</g>'.repeat(90)}`.repeat(10),
      ),
    ],
  ])('rejects %s as too complex', async (_, text) => {
    await expect(read(text)).rejects.toThrow(TooComplexMediaError);
  });
});

test('yields to the event loop while checking megabytes of attributes', async () => {
  const content = `<g transform="${'scale(1)'.repeat(10_000)}"/>`.repeat(40);
  const root = await parseSvg(createMemorySource(Buffer.from(svgOf(content))));
  let turns = 0;
  let isDone = false;
  const countTurns = () => {
    turns += 1;
    if (!isDone) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  await simplifySvg(root);
  isDone = true;
  expect(turns).toBeGreaterThanOrEqual(15);
});

function nestedPaints(name: string, property: string): string {
  const levels = Array.from(
    { length: 6 },
    (_, i) => `<${name} id="p${i}">${`<rect ${property}="url(#p${i - 1})"/>`.repeat(10)}</${name}>`,
  );
  return svgOf(`${levels.join('')}<rect ${property}="url(#p5)"/>`);
}

/** Creates nested levels. Each inherits its paint from the group around it. */
function nestedGroups(name: string, property: string, value: string): string {
  const own = value === '' ? '' : `${property}="${value}"`;
  const levels = Array.from(
    { length: 6 },
    (_, i) =>
      `<g ${property}="url(#p${i - 1})"><${name} id="p${i}">` +
      `${`<rect ${own}/>`.repeat(10)}</${name}></g>`,
  );
  return svgOf(`${levels.join('')}<rect ${property}="url(#p5)"/>`);
}

/** Creates a pattern whose lines inherit their dashes from the group around it. */
function inheritedDashes(own: string): string {
  return svgOf(
    `<g stroke="red" stroke-dasharray=".001"><pattern id="p"><path d="M0 0H999" ${own}/></pattern></g>` +
      '<rect fill="url(#p)"/>',
  );
}

function animatedGif(): string {
  const frame = '21f904000a0000002c000000000100010000020244010 0'.replace(' ', '');
  return Buffer.from(`47494638396101000100000000${frame}${frame}3b`, 'hex').toString('base64');
}

describe('reading a file that is not a valid SVG', () => {
  test.each([
    ['an svg element without its namespace', '<svg width="1" height="1"></svg>'],
    ['XML that is not well-formed', '<svg xmlns="http://www.w3.org/2000/svg"><g></svg>'],
    ['an unknown entity', svgOf('<text>&anna;</text>')],
    ['expanding entities', `<!DOCTYPE svg [<!ENTITY a "aaaa">]>${svgOf('<text>&a;</text>')}`],
    ['two root elements', svgOf('') + svgOf('')],
  ])('rejects %s as malformed', async (_, text) => {
    await expect(read(text)).rejects.toThrow(MalformedFileError);
  });

  test('rejects bytes that are not UTF-8', async () => {
    const file = Buffer.from(svgOf('<text>\xe9</text>'), 'latin1');
    await expect(svg.read(createMemorySource(file))).rejects.toThrow(MalformedFileError);
  });
});
