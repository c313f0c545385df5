import { expect } from 'chai'
import { isMoved } from './faults.js'

describe('what Chromium throws when a page moves on', () => {
  for (const message of [
    'page.evaluate: Execution context was destroyed, most likely because of a navigation',
    'cdpSession.send: Protocol error (Runtime.evaluate): Cannot find context with specified id',
    'cdpSession.send: Protocol error (Runtime.evaluate): Inspected target navigated or closed',
    'cdpSession.send: Protocol error (Runtime.evaluate): Promise was collected',
    'cdpSession.send: Protocol error (Page.createIsolatedWorld): No frame for given id found',
    'page.content: Frame was detached',
  ])
    it(`is distinguished from failures of the browser: ${message}`, () => {
      expect(isMoved(new Error(message))).to.equal(true)
    })

  it('is not what a browser throws that has gone', () => {
    for (const message of [
      'cdpSession.send: Target page, context or browser has been closed',
      'Protocol error (Page.navigate): Session closed',
    ])
      expect(isMoved(new Error(message)), message).to.equal(false)
  })
})
