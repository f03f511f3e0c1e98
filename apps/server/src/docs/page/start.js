// With a `validatorUrl`, the page would load a badge from another host.
globalThis.SwaggerUIBundle({
  url: '/api/docs/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
});
