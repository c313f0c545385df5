const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:3rem auto;padding:0 1rem;color:#1c2128;background:#fff}h1{font-size:1.6rem}h2{font-size:1.15rem;margin-top:2rem}code,pre{background:#eef1f4;border-radius:.25rem}code{padding:.1rem .3rem}pre{padding:.75rem;overflow-x:auto}dt{font-weight:600;margin-top:1rem}dd{margin:0}a{color:#0a58ca}table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.4rem .6rem;border-bottom:1px solid #d5dae0;vertical-align:top}.live{color:#146c2e}.dormant{color:#8a4b00}@media(prefers-color-scheme:dark){body{color:#e6e9ed;background:#14171a}code,pre{background:#262b31}a{color:#7db2ff}td,th{border-color:#343b43}.live{color:#5fd38a}.dormant{color:#f0b45b}}'

/** A page without scripts. The content must be escaped already. */
export function htmlPage(title: string, content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)} - Capstan</title><style>${STYLE}</style></head><body>${content}</body></html>`
}

/** Text as HTML text or attribute value. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
