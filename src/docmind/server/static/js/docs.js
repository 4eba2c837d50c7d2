// The API's documentation: Swagger UI over this service's own description, in the page's theme.

import DOMPurify from "../vendor/dompurify/purify.js";

const KEPT = "docmind-theme";

// Swagger UI hands the browser markup as strings; under this policy each goes through the sanitiser first.
window.trustedTypes?.createPolicy("default", { createHTML: (markup) => DOMPurify.sanitize(markup) });

const theme = localStorage.getItem(KEPT);
const dark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
document.documentElement.classList.toggle("dark-mode", dark);

window.SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#api",
  deepLinking: true,
  // Nothing is asked of another site.
  validatorUrl: null,
  persistAuthorization: false,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
});
