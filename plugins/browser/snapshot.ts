import type { BrowserContext, Page } from 'playwright-core'
import { Fault } from '../../core/sdk/index.js'

const MAX_CHARACTERS = 5_000_000

/** Runs in a world of its own beside the page's scripts, so that a page that changed its own String or document cannot fool it. */
const EXPRESSION = `(() => {
  const root = document.documentElement
  if (root === null) return { html: '', title: '' }
  const shadows = []
  const walk = (node) => { for (const e of node.querySelectorAll('*')) if (e.shadowRoot !== null && shadows.length < 2000) { shadows.push(e.shadowRoot); walk(e.shadowRoot) } }
  if (document.querySelectorAll('*').length <= 200000) walk(document)
  const inner = shadows.length > 0 && typeof root.getHTML === 'function' ? root.getHTML({ shadowRoots: shadows }) : root.innerHTML
  const open = root.cloneNode(false).outerHTML.replace(/<\\/html>$/i, '')
  const html = '<!doctype html>' + open + inner + '</html>'
  return { html: html.length > ${MAX_CHARACTERS} ? null : html, title: document.title.slice(0, 1000) }
})()`

/** The document as it stands, with its open shadow trees as templates. Throws `blocked` when it is larger than 5,000,000 characters. */
export async function snapshot(context: BrowserContext, page: Page): Promise<{ html: string; title: string }> {
  const session = await context.newCDPSession(page)
  const tree = await session.send('Page.getFrameTree')
  const world = await session.send('Page.createIsolatedWorld', { frameId: tree.frameTree.frame.id })
  const answer = await session.send('Runtime.evaluate', {
    contextId: world.executionContextId,
    expression: EXPRESSION,
    returnByValue: true,
  })
  const value: unknown = answer.result.value
  if (typeof value !== 'object' || value === null || !('html' in value) || !('title' in value) || typeof value.title !== 'string') {
    throw new Fault('blocked', 'the page could not be read', { internal: answer.exceptionDetails?.text ?? '' })
  }
  if (typeof value.html !== 'string') throw new Fault('blocked', `the page is larger than ${MAX_CHARACTERS} characters`)
  return { html: value.html, title: value.title }
}
