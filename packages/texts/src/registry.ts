// The supported languages. Each has a folder and a line here.
export { default as de } from '../de/language.ts';
export { default as en } from '../en/language.ts';
