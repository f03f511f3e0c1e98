import { createHash } from 'node:crypto';
import { knownTimeZone } from '@parley/contract';
import {
  LANGUAGES,
  loadEveryLanguage,
  toLanguage,
  type Language,
  type TextFiles,
} from '@parley/texts';
import { markup, Markup } from './markup.ts';

const TEXTS = await loadEveryLanguage('export');

/** How the pages of an export show texts and times. */
export interface PageFormat {
  readonly language: Language;
  readonly timeZone: string;
  readonly texts: TextFiles['export'];
  /** Formats a time of day. */
  readonly time: (iso: string) => string;
  /** Formats a date without its time. */
  readonly day: (iso: string) => string;
  /** Formats a date with its time, as an element. */
  readonly dateTime: (iso: string) => Markup;
  /** Formats a date with its time, as a text. */
  readonly dateTimeText: (iso: string) => string;
}

/** Creates the format of an export. An unknown language or time zone is replaced. */
export function createPageFormat(storedLanguage: string, storedZone: string): PageFormat {
  const language = toLanguage(storedLanguage);
  const timeZone = knownTimeZone(storedZone);
  const { locale, timeLocale = locale } = LANGUAGES[language];
  const times = new Intl.DateTimeFormat(timeLocale, { timeStyle: 'short', timeZone });
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone });
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone });
  const dateTimeText = (iso: string) => {
    const time = Date.parse(iso);
    return `${dates.format(time)}, ${times.format(time)}`;
  };
  return {
    language,
    timeZone,
    texts: TEXTS[language],
    time: (iso) => times.format(Date.parse(iso)),
    day: (iso) => days.format(Date.parse(iso)),
    dateTimeText,
    dateTime: (iso) => markup`<time datetime="${iso}">${dateTimeText(iso)}</time>`,
  };
}

// The colors are those of the client's themes in tokens.css.
const STYLE = `
:root { color-scheme: light dark; --ink: #1e1a16; --soft: #544f49; --ground: #f7f5f3; --card: #fffefe;
  --line: #e2dfdb; --own: #1069da; --partner: #c36b02; --link: #085dc7; }
@media (prefers-color-scheme: dark) { :root { --ink: #eeecea; --soft: #b7b4af; --ground: #100e0c;
  --card: #191714; --line: #302d2a; --own: #62a7fd; --partner: #f5ae39; --link: #82baff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 52rem; padding: 1rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); }
h1 { font-size: 1.5rem; margin: 0.5rem 0; }
h2 { font-size: 1.15rem; margin: 0 0 0.5rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem;
  margin: 1rem 0; }
dl { display: grid; grid-template-columns: minmax(8rem, 16rem) 1fr; gap: 0.35rem 1rem; margin: 0; }
dt, .note, .meta, nav { color: var(--soft); }
dd { margin: 0; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: 0.5rem; } }
ul { margin: 0; padding-inline-start: 1.2rem; }
li { margin: 0.25rem 0; }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 1rem 0; }
.day { text-align: center; color: var(--soft); font-size: 0.85rem; font-weight: 600; margin: 1.5rem 0 0.5rem; }
.message { width: fit-content; max-width: min(85%, 40rem); margin: 0.35rem 0; padding: 0.5rem 0.75rem;
  background: var(--card); border: 1px solid var(--partner); border-radius: 12px; }
.own { margin-inline-start: auto; border-color: var(--own); }
.message:target { outline: 3px solid var(--link); }
.sender { font-weight: 600; font-size: 0.85rem; }
.text { white-space: pre-wrap; unicode-bidi: plaintext; text-align: start; overflow: hidden; }
.quote { display: block; border-inline-start: 3px solid var(--line); padding-inline-start: 0.5rem;
  margin: 0.25rem 0; color: var(--soft); text-decoration: none; font-size: 0.9rem; }
.meta { font-size: 0.8rem; }
.message img { display: block; max-width: 100%; height: auto; max-height: 26rem; object-fit: contain;
  border-radius: 6px; background: #e9e9e6; }
audio { display: block; max-width: 100%; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** What a page may load: its own style, and the pictures and recordings beside it. */
const POLICY =
  `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src 'self' file:; ` +
  `media-src 'self' file:; base-uri 'none'; form-action 'none'`;

/** Returns the text of a page. */
export function toPage({ language }: PageFormat, title: string, body: Markup): string {
  return markup`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
${body}
</body>
</html>
`.source;
}
