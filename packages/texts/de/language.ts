import type { LanguageDefinition } from '../src/language-definition.ts';

export default {
  name: 'Deutsch',
  locale: 'de-DE',
  dictionaries: ['de-DE', 'de'],
  texts: {
    app: () => import('./app.json', { with: { type: 'json' } }),
    desktop: () => import('./desktop.json', { with: { type: 'json' } }),
    errors: () => import('./errors.json', { with: { type: 'json' } }),
    mail: () => import('./mail.json', { with: { type: 'json' } }),
    screens: () => import('./screens.json', { with: { type: 'json' } }),
  },
} satisfies LanguageDefinition;
