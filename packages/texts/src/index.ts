export * from './fill.ts';
export type { EnglishAppTexts, TextFile, TextFiles } from './language-definition.ts';
export * from './languages.ts';
