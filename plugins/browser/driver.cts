import playwright = require('playwright-core')

/**
 * Playwright's Chromium. This module is CommonJS because an `import` of Playwright parses its 7 MB twice, the first
 * time for the names of its exports (Node.js, "CommonJS namespaces"): 0.2 s longer, blocking, and 20 MiB.
 */
export = playwright.chromium
