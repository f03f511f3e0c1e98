import { LANGUAGE_CODES, loadTexts } from '@parley/texts';
import { describe, expect, test } from 'vitest';
import type { MailPurpose } from '../storage/tables/outgoing-mails.table.ts';
import { renderMail } from './mail-template.ts';

/** The keys of mails, by purpose. */
const KEYS = {
  verify: '123456',
  reset: 'KEY23456',
  'password-changed': null,
  'change-email': '123456',
  'email-taken': null,
  'email-changed': 'KEY23456KEY23456KEY2',
  'email-restored': null,
  'email-set': null,
} satisfies Record<MailPurpose, string | null>;
const purposes = Object.keys(KEYS) as MailPurpose[];
const all = LANGUAGE_CODES.flatMap((language) =>
  purposes.map((purpose) => ({ language, purpose })),
);

describe.each(all)('$purpose in $language', ({ language, purpose }) => {
  const key = KEYS[purpose];
  const publicUrl = 'https://chat.example.org';
  const mail = renderMail({ language, purpose, username: 'Anna', key, publicUrl });

  test('has the same content in plain text and HTML', () => {
    for (const form of [mail.text, mail.html]) {
      expect(form).toContain('Anna');
      if (key !== null) expect(form).toContain(key);
      expect(form).toContain(`${publicUrl}/`);
    }
    expect(mail.html).toContain(`<html lang="${language}">`);
  });

  test('has no key in its subject, because mail servers log subjects', () => {
    expect(mail.subject).toContain('Parley');
    expect(mail.subject).not.toMatch(/KEY234|123456/);
  });

  test('references no external resources', () => {
    expect(mail.html).not.toMatch(/<(?:img|link|script|iframe)|url\(|@import/i);
    const links = [...mail.html.matchAll(/https?:\/\/[^"\s<]+/g)].map(([link]) => link);
    expect(links.every((link) => link.startsWith(`${publicUrl}/`))).toBe(true);
  });

  test('has no link without a public URL', () => {
    const { text, html } = renderMail({
      language,
      purpose,
      username: 'Anna',
      key,
      publicUrl: undefined,
    });
    expect(text + html).not.toMatch(/https?:\/\/|<a /);
    if (key !== null) for (const form of [text, html]) expect(form).toContain(key);
  });
});

test('the key to take back an address is in the fragment of the link, which no server logs', () => {
  const key = KEYS['email-changed'];
  const publicUrl = 'https://chat.example.org';
  const content = { language: 'en', purpose: 'email-changed', username: 'Anna', key } as const;
  const { text, html } = renderMail({ ...content, publicUrl });
  for (const form of [text, html]) expect(form).toContain(`${publicUrl}/email-restore#key=${key}`);
  expect(text).not.toContain(`    ${key}`);
});

test.each(['en', 'de'] as const)(
  'the key to take back an address comes with the way to where it is entered if there is no link (%s)',
  async (language) => {
    const key = KEYS['email-changed'];
    const mail = { language, purpose: 'email-changed', username: 'Anna', key } as const;
    const { login } = await loadTexts(language, 'app');
    const { forgot } = await loadTexts(language, 'information');
    const { text, html } = renderMail({ ...mail, publicUrl: undefined });
    for (const form of [text, html]) {
      // The links on the pages that the mail names.
      for (const label of [login.forgot, forgot.emailChanged]) {
        expect(form).toContain(label);
      }
      expect(form).toContain(' /email-restore ');
    }
    const linked = renderMail({ ...mail, publicUrl: 'https://chat.example.org' });
    expect(linked.text).not.toContain(forgot.emailChanged);
  },
);

test('every mail has a different text in each language', () => {
  for (const purpose of purposes) {
    const [en, de] = LANGUAGE_CODES.map((language) =>
      renderMail({ language, purpose, username: 'Anna', key: null, publicUrl: undefined }),
    );
    expect(en?.subject).not.toBe(de?.subject);
    expect(en?.text).not.toBe(de?.text);
  }
});

test('escapes the username in HTML', () => {
  const { html } = renderMail({
    language: 'en',
    purpose: 'verify',
    username: `<b>"&'`,
    key: '<i>',
    publicUrl: undefined,
  });
  expect(html).toContain('&lt;b&gt;&quot;&amp;&#39;');
  expect(html).toContain('&lt;i&gt;');
});

describe.each(all)(
  'a username like a host name in $purpose in $language',
  ({ language, purpose }) => {
    const username = 'www.evil.com';
    const publicUrl = 'https://chat.example.org';
    const { text, html } = renderMail({ language, purpose, username, key: null, publicUrl });

    test('reads the same', () => {
      for (const form of [text, html]) expect(form.replaceAll('\u200c', '')).toContain(username);
    });

    test('is no link, even for a mail program that ignores invisible characters', () => {
      for (const form of [text, html]) {
        expect(form).not.toContain('evil.com');
        const [shown = ''] = /www\S+?com/.exec(form) ?? [];
        expect(shown.length).toBeGreaterThan(username.length);
        expect(URL.canParse(`http://${shown}`)).toBe(false);
      }
    });
  },
);

test('names the username beside the key, as others may register the same address', () => {
  for (const language of LANGUAGE_CODES) {
    const { text } = renderMail({
      language,
      purpose: 'verify',
      username: 'Mallory',
      key: '123456',
      publicUrl: undefined,
    });
    expect(text.match(/Mallory/g)).toHaveLength(2);
  }
});
