import type { BrowserContext, Page } from 'playwright-core'
import { Fault } from '../../core/sdk/index.js'
import { isolated } from './isolated.js'

const MAX_CHARACTERS = 5_000_000

/** Runs in an isolated world. */
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

/** The document with its open shadow trees as templates. Throws `blocked` when it is larger than 5,000,000 characters. */
export async function snapshot(context: BrowserContext, page: Page): Promise<{ html: string; title: string }> {
  const session = await context.newCDPSession(page)
  const { value, error } = await (await isolated(session)).evaluate(EXPRESSION)
  if (typeof value !== 'object' || value === null || !('html' in value) || !('title' in value) || typeof value.title !== 'string') {
    throw new Fault('blocked', 'the page could not be read', { internal: error ?? '' })
  }
  if (typeof value.html !== 'string') throw new Fault('blocked', `the page is larger than ${MAX_CHARACTERS} characters`)
  return { html: value.html, title: value.title }
}
