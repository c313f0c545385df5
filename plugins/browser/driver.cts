import playwright = require('playwright-core')

/**
 * Playwright's Chromium. Loaded by a file of this format, since an `import` of Playwright itself has its 7 MB read twice, the first time for
 * the names of its exports (Node.js, "CommonJS namespaces"): 0.2 s more in which nothing else runs, and 20 MiB.
 */
export = playwright.chromium
