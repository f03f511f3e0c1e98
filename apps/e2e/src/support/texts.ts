export * from '@parley/texts/translator';
