import { fill, loadEveryLanguage, type Language, type TextFiles } from '@parley/texts';
import { escapeHtml } from '../http/escape-html.ts';
import type { MailPurpose } from '../storage/tables/outgoing-mails.table.ts';

type MailText = TextFiles['mail'][MailPurpose];

const MAIL_TEXTS = await loadEveryLanguage('mail');

/** The paths that the buttons of mails open. */
const PATHS: Readonly<Record<MailPurpose, string>> = {
  verify: '/register/verify',
  reset: '/new-pw',
  'password-changed': '/forgot-pw',
  'change-email': '/settings',
  'email-taken': '/',
  'email-changed': '/email-restore',
  'email-restored': '/privacy',
  'email-set': '/privacy',
};

/** The rendered subject, plain text and HTML of a mail. */
export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

/** The data that a mail is rendered from. */
export interface MailContent {
  purpose: MailPurpose;
  language: Language;
  username: string;
  key: string | null;
  /** Origin of the site; without it, the mail has no button or link. */
  publicUrl: string | undefined;
}

/** The texts of a mail with what they are about. */
interface Content extends Omit<MailText, 'note'> {
  /** Shown between the texts; null without one. */
  key: string | null;
  /** The paragraphs below the key. */
  notes: readonly string[];
  /** What the button opens; without it, the mail has none. */
  url: string | undefined;
}

/** Renders a mail in the recipient's language, without external resources. */
export function renderMail({
  purpose,
  language,
  username,
  key,
  publicUrl,
}: MailContent): RenderedMail {
  const texts = MAIL_TEXTS[language][purpose];
  const values = { username: withoutLinks(username) };
  const mail: MailText = {
    ...texts,
    greeting: fill(texts.greeting, values),
    lead: fill(texts.lead, values),
    note: fill(texts.note, values),
    footer: fill(texts.footer, values),
  };
  const page = publicUrl === undefined ? undefined : publicUrl + PATHS[purpose];
  // A long key is part of the link. In the fragment, no server or proxy logs it.
  const isLinked = page !== undefined && purpose === 'email-changed' && key !== null;
  const url = isLinked ? `${page}#${new URLSearchParams({ key }).toString()}` : page;
  const content: Content = {
    ...mail,
    key: isLinked ? null : key,
    notes: url === undefined ? [mail.note, ...describeWay(language, purpose)] : [mail.note],
    url,
  };
  return {
    subject: mail.subject,
    text: renderText(content),
    html: renderHtml(content, language),
  };
}

/** Returns how to get to the page that a mail without a link is about, if its other texts do not say so. */
function describeWay(language: Language, purpose: MailPurpose): string[] {
  if (purpose !== 'email-changed') return [];
  return [fill(MAIL_TEXTS[language][purpose].withoutLink, { path: PATHS[purpose] })];
}

/**
 * Prevents mail programs from turning a username such as `example.com` into a link. Unlike other invisible
 * characters, which browsers remove from a host name, a zero-width non-joiner after a dot makes it invalid.
 */
function withoutLinks(username: string): string {
  return username.replaceAll('.', '.\u200c');
}

function renderText({ key, notes, url, ...mail }: Content): string {
  const parts = [mail.greeting, mail.lead];
  if (key !== null) parts.push(`    ${key}`);
  parts.push(...notes);
  if (url !== undefined) parts.push(url);
  parts.push(`---\n${mail.footer}`);
  return `${parts.join('\n\n')}\n`;
}

const DARK_STYLE = `
  @media (prefers-color-scheme: dark) {
    .page { background: #100e0c !important; }
    .card { background: #191714 !important; border-color: #302d2a !important; }
    .text { color: #eeecea !important; }
    .soft { color: #b7b4af !important; }
    .key { background: #18273c !important; color: #82baff !important; border-color: #1a345a !important; }
  }`;

const FONT = "font-family:Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;";

// The layout uses tables and inline styles, because many mail programs support little else. The colors are those of
// the client's themes in tokens.css.
function renderHtml({ key, notes, url, ...mail }: Content, language: Language): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(mail.subject)}</title>
<style>${DARK_STYLE}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f7f5f3;">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f7f5f3;">
<tr><td align="center" style="padding:32px 16px;">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px;background:#ffffff;border:1px solid #e2dfdb;border-radius:16px;">
<tr><td style="padding:32px;">
${LOGO}
<h1 class="text" style="margin:24px 0 12px;${FONT}font-size:24px;line-height:32px;font-weight:650;color:#1e1a16;">${escapeHtml(mail.greeting)}</h1>
${renderParagraph(mail.lead, 'text', 'font-size:15px;line-height:24px;color:#1e1a16;')}
${key === null ? '' : renderKey(key)}
${notes.map((note) => renderParagraph(note, 'soft', 'font-size:15px;line-height:24px;color:#544f49;')).join('\n')}
${url === undefined ? '' : renderButton(mail.action, url)}
</td></tr></table>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px;">
<tr><td style="padding:16px 32px;">
${renderParagraph(mail.footer, 'soft', 'font-size:12px;line-height:18px;color:#68625c;')}
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}

// The logo, two speech bubbles, drawn with table cells only.
const LOGO = `<table role="presentation" cellpadding="0" cellspacing="0"><tr>
<td style="width:20px;height:20px;background:#1069da;border-radius:10px 10px 0 10px;font-size:0;">&nbsp;</td>
<td style="width:4px;font-size:0;">&nbsp;</td>
<td style="width:20px;height:20px;background:#fcab19;border-radius:10px 10px 10px 0;font-size:0;">&nbsp;</td>
<td class="text" style="padding-left:12px;${FONT}font-size:17px;font-weight:650;color:#1e1a16;">Parley</td>
</tr></table>`;

function renderParagraph(text: string, className: 'text' | 'soft', style: string): string {
  return `<p class="${className}" style="margin:0 0 16px;${FONT}${style}">${escapeHtml(text)}</p>`;
}

function renderKey(key: string): string {
  const style = `padding:16px;text-align:center;background:#ebf4ff;border:1px solid #d0e7ff;border-radius:10px;font-family:ui-monospace,Menlo,Consolas,monospace;${key.length > 8 ? 'font-size:20px;letter-spacing:2px;' : 'font-size:32px;letter-spacing:6px;'}line-height:40px;font-weight:600;color:#085dc7;`;
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px;"><tr>
<td class="key" style="${style}">${escapeHtml(key)}</td>
</tr></table>`;
}

function renderButton(label: string, url: string): string {
  const style = `display:inline-block;padding:12px 20px;background:#1069da;border-radius:10px;${FONT}font-size:15px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none;`;
  return `<a href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a>`;
}
