/** Elements whose text is displayed. */
export const TEXT_ELEMENTS: ReadonlySet<string> = new Set(['text', 'tspan', 'textPath']);

/** Elements that draw a shape. */
export const SHAPES: ReadonlySet<string> = new Set(
  'path rect circle ellipse line polyline polygon'.split(' '),
);

/** Elements that are drawn only where another one references them, or that define how it is drawn. */
export const REFERENCED_ONLY: ReadonlySet<string> = new Set(
  'defs symbol clipPath mask marker pattern linearGradient radialGradient filter'.split(' '),
);

const CONTAINERS = 'svg g a switch use image style stop'.split(' ');

/** Filter steps whose cost depends only on the area. */
const FILTER_STEPS = (
  'feGaussianBlur feOffset feFlood feBlend feComposite feMerge feMergeNode feColorMatrix ' +
  'feComponentTransfer feFuncR feFuncG feFuncB feFuncA feDropShadow'
).split(' ');

const ELEMENTS = new Set([
  ...TEXT_ELEMENTS,
  ...SHAPES,
  ...REFERENCED_ONLY,
  ...CONTAINERS,
  ...FILTER_STEPS,
]);

/**
 * Elements that browsers draw at a cost that is hard to bound: filters that read the neighborhood of
 * each pixel or load other images, and HTML.
 */
const UNSUPPORTED = new Set(
  (
    'foreignObject feTurbulence feConvolveMatrix feMorphology feDisplacementMap feImage feTile ' +
    'feDiffuseLighting feSpecularLighting'
  ).split(' '),
);

export const isElement = (name: string): boolean => ELEMENTS.has(name);
export const isUnsupported = (name: string): boolean => UNSUPPORTED.has(name);

const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?`;
const LENGTH = `${NUMBER}(?:em|ex|px|in|cm|mm|pt|pc|%)?`;
// Browsers replace an invalid value by the inherited one, which the budget does not consider. Values
// of inherited properties are therefore kept only if every browser accepts them.
const UNSIGNED = String.raw`(?:\d{1,20}(?:\.\d{1,20})?|\.\d{1,20})(?:e[+-]?\d{1,3})?`;
const CSS_NUMBER = `[+-]?${UNSIGNED}`;
const POSITIVE = String.raw`\+?${UNSIGNED}`;
const POSITIVE_LENGTH = `${POSITIVE}(?:em|ex|px|in|cm|mm|pt|pc|%)?`;
const PERCENT = `${CSS_NUMBER}%`;
const channels = (...values: string[]) =>
  `(?:${values.join(' ?, ?')}(?: ?, ?${CSS_NUMBER}%?)?|${values.join(' ')}(?: ?/ ?${CSS_NUMBER}%?)?)`;
const RGB = `rgba?\\( ?(?:${channels(CSS_NUMBER, CSS_NUMBER, CSS_NUMBER)}|${channels(PERCENT, PERCENT, PERCENT)}) ?\\)`;
const HSL = `hsla?\\( ?${channels(`${CSS_NUMBER}(?:deg)?`, PERCENT, PERCENT)} ?\\)`;
const COLOR_NAMES = (
  'aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet ' +
  'brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson ' +
  'currentcolor cyan darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki ' +
  'darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue ' +
  'darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey ' +
  'dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray ' +
  'green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush ' +
  'lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen ' +
  'lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey ' +
  'lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue ' +
  'mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise ' +
  'mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive ' +
  'olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred ' +
  'papayawhip peachpuff peru pink plum powderblue purple rebeccapurple red rosybrown royalblue ' +
  'saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue slategray ' +
  'slategrey snow springgreen steelblue tan teal thistle tomato transparent turquoise violet wheat ' +
  'white whitesmoke yellow yellowgreen'
).split(' ');
const HEX = String.raw`#(?:[\da-f]{3}|[\da-f]{4}|[\da-f]{6}|[\da-f]{8})`;
const COLOR = `(?:${HEX}|${COLOR_NAMES.join('|')}|${RGB}|${HSL})`;
const REFERENCE = String.raw`url\((["']?)#[^"'()\s]+\1\)`;

/** Matches a whole value; each run of white space must be collapsed to one space. */
const whole = (pattern: string) => new RegExp(`^(?:${pattern})$`, 'i');
const oneOf = (words: string) => whole(words.replaceAll(' ', '|'));

const numbers = /^[\d\s.,e+-]*$/i;
const length = whole(LENGTH);
// Matches in linear time, because a separator between two lengths can be matched in one way only.
const lengths = whole(`${LENGTH}(?:(?: ?, ?| )${LENGTH})*`);
const color = whole(`${COLOR}|none`);
const paint = whole(`none|${COLOR}|${REFERENCE}(?: (?:none|${COLOR}))?`);
const reference = whole(`none|${REFERENCE}`);
const share = whole(`${NUMBER}%?`);
const transform = whole(
  String.raw`(?:(?:matrix|translate|scale|rotate|skewX|skewY) ?\([\d\s.,e+-]*\)[ ,]*)*`,
);
const origin = whole(
  `(?:${LENGTH}|left|right|top|bottom|center)(?: (?:${LENGTH}|left|right|top|bottom|center)){0,2}`,
);
const units = oneOf('userSpaceOnUse objectBoundingBox');
const font = /^[\p{L}\p{N}\s"',._/%-]{1,300}$/u;
const interpolation = oneOf('auto sRGB linearRGB inherit');

/**
 * Attributes to keep, with the pattern that their value must match. Names and references are handled
 * elsewhere.
 */
export const ATTRIBUTES: Readonly<Record<string, RegExp>> = {
  'xml:space': oneOf('default preserve'),
  x: lengths,
  y: lengths,
  dx: lengths,
  dy: lengths,
  rotate: numbers,
  width: length,
  height: length,
  rx: length,
  ry: length,
  r: length,
  cx: length,
  cy: length,
  fx: length,
  fy: length,
  fr: length,
  x1: length,
  y1: length,
  x2: length,
  y2: length,
  points: numbers,
  d: /^[mzlhvcsqta\d\s.,e+-]*$/i,
  pathLength: whole(NUMBER),
  viewBox: numbers,
  preserveAspectRatio: whole('none|x(?:Min|Mid|Max)Y(?:Min|Mid|Max)(?: (?:meet|slice))?'),
  offset: share,
  gradientUnits: units,
  gradientTransform: transform,
  spreadMethod: oneOf('pad reflect repeat'),
  patternUnits: units,
  patternContentUnits: units,
  patternTransform: transform,
  clipPathUnits: units,
  maskUnits: units,
  maskContentUnits: units,
  markerUnits: oneOf('strokeWidth userSpaceOnUse'),
  markerWidth: length,
  markerHeight: length,
  refX: whole(`${LENGTH}|left|center|right`),
  refY: whole(`${LENGTH}|top|center|bottom`),
  orient: whole(`auto|auto-start-reverse|${NUMBER}(?:deg|rad|grad|turn)?`),
  textLength: length,
  lengthAdjust: oneOf('spacing spacingAndGlyphs'),
  startOffset: length,
  method: oneOf('align stretch'),
  spacing: oneOf('auto exact'),
  side: oneOf('left right'),
  filterUnits: units,
  primitiveUnits: units,
  stdDeviation: numbers,
  mode: whole('[a-z]{4,10}(?:-[a-z]{4,10})?'),
  operator: oneOf('over in out atop xor lighter arithmetic'),
  k1: numbers,
  k2: numbers,
  k3: numbers,
  k4: numbers,
  values: numbers,
  type: oneOf('matrix saturate hueRotate luminanceToAlpha identity table discrete linear gamma'),
  tableValues: numbers,
  slope: numbers,
  intercept: numbers,
  amplitude: numbers,
  exponent: numbers,
};

const BLEND =
  'normal multiply screen overlay darken lighten color-dodge color-burn hard-light soft-light ' +
  'difference exclusion hue saturation color luminosity';

/** Properties to keep in attributes and style sheets, with the pattern that their value must match. */
export const PROPERTIES: Readonly<Record<string, RegExp>> = {
  color,
  fill: paint,
  'fill-opacity': share,
  'fill-rule': oneOf('nonzero evenodd'),
  stroke: paint,
  'stroke-opacity': share,
  'stroke-width': whole(POSITIVE_LENGTH),
  'stroke-linecap': oneOf('butt round square'),
  'stroke-linejoin': oneOf('miter round bevel arcs miter-clip'),
  'stroke-miterlimit': whole(POSITIVE),
  // Bounded, because each shape that inherits the list iterates over all of it.
  'stroke-dasharray': whole(`none|${POSITIVE_LENGTH}(?:(?: ?, ?| )${POSITIVE_LENGTH}){0,63}`),
  'stroke-dashoffset': length,
  opacity: share,
  'stop-color': color,
  'stop-opacity': share,
  display: oneOf('none inline block'),
  visibility: oneOf('visible hidden collapse'),
  overflow: oneOf('visible hidden scroll auto'),
  'clip-path': reference,
  'clip-rule': oneOf('nonzero evenodd'),
  mask: reference,
  'mask-type': oneOf('luminance alpha'),
  filter: reference,
  'marker-start': reference,
  'marker-mid': reference,
  'marker-end': reference,
  'font-family': font,
  'font-size': whole(
    `${POSITIVE_LENGTH}|xx-small|x-small|small|medium|large|x-large|xx-large|smaller|larger`,
  ),
  'font-style': oneOf('normal italic oblique'),
  'font-weight': whole('normal|bold|bolder|lighter|\\d{1,4}'),
  'font-stretch': whole('normal|(?:ultra-|extra-|semi-)?(?:condensed|expanded)|\\d{1,3}%'),
  'font-variant': oneOf('normal small-caps'),
  'letter-spacing': whole(`normal|${LENGTH}`),
  'word-spacing': whole(`normal|${LENGTH}`),
  'text-anchor': oneOf('start middle end'),
  'text-decoration': whole(
    'none|(?:underline|overline|line-through)(?: (?:underline|overline|line-through))*',
  ),
  'dominant-baseline': oneOf(
    'auto alphabetic ideographic middle central mathematical hanging text-before-edge text-after-edge text-top text-bottom',
  ),
  'alignment-baseline': oneOf(
    'auto baseline alphabetic ideographic middle central mathematical hanging before-edge after-edge text-before-edge text-after-edge top center bottom',
  ),
  'baseline-shift': whole(`baseline|sub|super|${LENGTH}`),
  direction: oneOf('ltr rtl'),
  'unicode-bidi': oneOf('normal embed bidi-override isolate isolate-override plaintext'),
  'writing-mode': oneOf('lr-tb rl-tb tb-rl lr rl tb horizontal-tb vertical-rl vertical-lr'),
  'paint-order': whole('normal|(?:fill|stroke|markers)(?: (?:fill|stroke|markers)){0,2}'),
  'vector-effect': oneOf('none non-scaling-stroke'),
  'shape-rendering': oneOf('auto optimizeSpeed crispEdges geometricPrecision'),
  'text-rendering': oneOf('auto optimizeSpeed optimizeLegibility geometricPrecision'),
  'image-rendering': oneOf('auto optimizeSpeed optimizeQuality pixelated crisp-edges'),
  'color-interpolation': interpolation,
  'color-interpolation-filters': interpolation,
  'flood-color': color,
  'flood-opacity': share,
  transform,
  'transform-origin': origin,
  'transform-box': oneOf('content-box border-box fill-box stroke-box view-box'),
  'mix-blend-mode': oneOf(BLEND),
  isolation: oneOf('auto isolate'),
};

/** Properties that have no presentation attribute. */
export const STYLE_ONLY: ReadonlySet<string> = new Set(['mix-blend-mode', 'isolation']);

/** Inherited properties that determine the cost of drawing an element. */
export const INHERITED: readonly string[] = (
  'fill stroke stroke-width stroke-miterlimit stroke-dasharray marker-start marker-mid ' +
  'marker-end font-size'
).split(' ');
