import { nullable, or, Type, vendor } from '../../core/sdk/index.js'

const image = (about: string) => nullable(Type.String({ minLength: 1, description: `Image for ${about}; null to serve none.` }))

/** Containers of a Docker daemon, preferably rootless: access to its socket is access to the host. */
export const docker = vendor({
  id: 'docker',
  title: 'Docker (local containers)',
  home: 'https://docs.docker.com/reference/cli/docker/container/run/',
  programs: { docker: 'docker.io' },
  probe: { program: 'docker', args: ['version', '--format', '{{.Server.Version}}'] },
  settings: Type.Object({
    runtime: or(
      nullable(Type.String({ minLength: 1, description: 'Container runtime, for example runsc; null for the default of the daemon.' })),
      null,
    ),
    python: or(image('Python programs'), 'python:3.13-slim'),
    javascript: or(image('JavaScript programs and the template web-dev'), 'node:22-slim'),
    shell: or(image('shell programs'), 'debian:12-slim'),
    data_science: or(image('the template data-science'), null),
    video: or(image('the template video'), null),
    pip_index: or(
      nullable(Type.String({ format: 'uri', description: 'Index that Python packages are installed from; null for the default of pip.' })),
      null,
    ),
    pip_network: or(
      Type.String({
        minLength: 1,
        description: 'Docker network of the step that installs Python packages; none of the code of a caller runs in it.',
      }),
      'bridge',
    ),
  }),
})
