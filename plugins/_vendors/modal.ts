import { nullable, or, Type, vendor } from '../../core/sdk/index.js'

const image = (about: string) => nullable(Type.String({ minLength: 1, description: `Registry image for ${about}; null to serve none.` }))

/** Modal sandboxes, through Modal's npm package (gRPC) in a process of Node 22 or newer. */
export const modal = vendor({
  id: 'modal',
  title: 'Modal',
  home: 'https://modal.com/docs/guide/sandbox',
  secrets: { token_id: 'MODAL_TOKEN_ID', token_secret: 'MODAL_TOKEN_SECRET' },
  programs: { node22: 'node 22 or newer, from nodejs.org' },
  settings: Type.Object({
    sdk: or(nullable(Type.String({ minLength: 1, description: 'Absolute path of the entry file of the installed package modal.' })), null),
    app: or(Type.String({ minLength: 1, description: 'Modal app for the sandboxes.' }), 'capstan'),
    environment: or(nullable(Type.String({ minLength: 1, description: 'Modal environment; null for the default.' })), null),
    python: or(image('Python programs'), 'python:3.13-slim'),
    javascript: or(image('JavaScript programs and the template web-dev'), 'node:22-slim'),
    shell: or(image('shell programs'), 'debian:12-slim'),
    data_science: or(image('the template data-science'), null),
    video: or(image('the template video'), null),
  }),
})
