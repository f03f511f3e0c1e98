// The languages of the product: a folder each, and one line here.
export { default as de } from '../de/language.ts';
export { default as en } from '../en/language.ts';
