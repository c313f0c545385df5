const PARAGRAPH = 'Words of an article that goes on for some lines, as articles do. '.repeat(9)
const STYLE =
  'body{font:17px/1.6 sans-serif;margin:0}header{position:sticky;top:0;background:#123;color:#fff;padding:12px}main{max-width:760px;margin:auto}'
const SCRIPT = "document.querySelector('h1').textContent += ' (read by a script)'"

/** A page of about 30 kB with a style sheet, a script and six pictures of which some are lazy. */
function page(): string {
  const parts = Array.from({ length: 48 }, (_, at) => {
    const picture = at % 8 === 4 ? `<img src="/picture/${at}" width="760" height="300" loading="${at > 8 ? 'lazy' : 'eager'}">` : ''
    return `<h2>Part ${at}</h2><p>${PARAGRAPH}</p>${picture}`
  })
  return `<!doctype html><html lang="en"><head><title>Article</title><link rel="stylesheet" href="/style"></head><body><header>Site</header><main><h1>Article</h1>${parts.join('')}</main><script src="/script"></script></body></html>`
}

/** What the site answers at a path. */
export function bodyOf(path: string): { readonly type: string; readonly body: string } {
  if (path === '/style') return { type: 'text/css', body: STYLE }
  if (path === '/script') return { type: 'text/javascript', body: SCRIPT }
  if (path.startsWith('/picture/'))
    return {
      type: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="760" height="300"><rect width="760" height="300" fill="teal"/></svg>',
    }
  return { type: 'text/html; charset=utf-8', body: page() }
}
