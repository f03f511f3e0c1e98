import { expect, test } from 'vitest';
import { reportedLines } from './reported-lines.ts';

test('reports handlers that receive keys of input methods, and questions for such keys', () => {
  const lines = [
    "window.addEventListener('keyup', handle);",
    "element.addEventListener('keypress', handle, { capture: true });",
    'element.onkeyup = handle;',
    'const handlers = { onKeyUp: handle };',
    'if (event.nativeEvent.isComposing) stop();',
    'if (event.keyCode === 229) stop();',
    'const { isComposing } = event;',
    "window.addEventListener('keydown', handle);",
    'const allowed = { onKeyDown: handle };',
    "const press = { key: 'a', isComposing: false };",
    "if (event.key === 'Enter') send();",
  ];
  expect(reportedLines('key-handlers.js', 'keys/only-keydown', lines)).toEqual([
    1, 2, 3, 4, 5, 6, 7,
  ]);
});

test('reports all handlers of keys where keys of input methods are not filtered', () => {
  const lines = [
    "document.addEventListener('keydown', handle);",
    'element.onkeydown = handle;',
    "document.addEventListener('input', handle);",
    'const { key } = event;',
  ];
  expect(reportedLines('key-handlers.js', 'keys/no-key-handlers', lines)).toEqual([1, 2]);
});
