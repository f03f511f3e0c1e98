// No `validatorUrl`: it would show a badge from a foreign host.
globalThis.SwaggerUIBundle({
  url: '/api/docs/openapi.json',
  dom_id: '#interface',
  deepLinking: true,
  validatorUrl: null,
});
