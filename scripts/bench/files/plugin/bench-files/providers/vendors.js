import { httpProvider, poll, provider, Type } from 'capstan/sdk'
import { unpolled, gathered, polled } from '../contract.js'

const Answer = Type.Object({ name: Type.String() })

function slow(number) {
  return httpProvider(gathered, {
    vendor: { id: `slow${number}`, title: `Vendor ${number}`, needsUrl: true },
    request: ({ name }) => ({ path: '/slow', query: { name } }),
    reply: Answer,
    map: ({ name }) => ({ name, vendors: 0 }),
  })
}

export const one = slow(1)
export const two = slow(2)
export const three = slow(3)
export const four = slow(4)
export const five = slow(5)

const jobs = { id: 'jobs', title: 'Jobs', needsUrl: true }
const create = (ctx, name) => ctx.api.json({ method: 'POST', path: '/jobs', json: { name } }, Answer)
const state = (ctx) => ctx.api.json({ path: '/jobs/1' }, Answer)

export const withPoll = provider(polled, {
  vendor: jobs,
  run: async ({ name }, ctx) => {
    await create(ctx, name)
    return await poll(ctx, { ask: state, read: (result) => ({ state: 'done', result }) })
  },
})

export const withoutPoll = provider(unpolled, {
  vendor: jobs,
  run: async ({ name }, ctx) => {
    await create(ctx, name)
    return await state(ctx)
  },
})
