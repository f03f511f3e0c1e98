import { expect, test } from 'vitest';
import { markup } from './markup.ts';

test.each([
  ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  [`" onerror='x`, '&quot; onerror=&#39;x'],
  ['&lt;b&gt; & co', '&amp;lt;b&amp;gt; &amp; co'],
  ['null\0character', 'nullcharacter'],
])('escapes %j', (text, escaped) => {
  expect(markup`<p title="${text}">${text}</p>`.source).toBe(
    `<p title="${escaped}">${escaped}</p>`,
  );
});

test('joins parts, and leaves out what does not apply', () => {
  const items = ['a', '<'].map((text) => markup`<li>${text}</li>`);
  const [isShown, missing]: [boolean, undefined] = [false, undefined];
  const list = markup`<ul>${items}${isShown && markup`<li>b</li>`}${missing}${0}</ul>`;
  expect(list.source).toBe('<ul><li>a</li><li>&lt;</li>0</ul>');
});
