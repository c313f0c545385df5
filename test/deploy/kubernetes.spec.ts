import { expect } from 'chai'
import { complaints, documentsOf, imageFault, seconds, textOf, unknownVariables, type Tree } from './files.js'

describe('deploy/kubernetes.yaml', () => {
  const documents = documentsOf('deploy/kubernetes.yaml')
  const kind = (name: string): Tree => {
    const found = documents.filter((document) => document.at('kind').text === name)
    if (found.length !== 1 || found[0] === undefined) throw new Error(`there are ${found.length} documents of kind ${name}`)
    return found[0]
  }
  const pod = kind('Deployment').at('spec', 'template', 'spec')
  const container = pod.at('containers', 0)
  const env = kind('ConfigMap').at('data').texts

  it('has one of each part, all of one name', () => {
    expect(documents.map((document) => document.at('kind').text).sort()).to.deep.equal(
      ['ConfigMap', 'Deployment', 'NetworkPolicy', 'PodDisruptionBudget', 'Service', 'ServiceAccount'].sort(),
    )
    for (const document of documents) {
      expect(document.at('metadata', 'name').text).to.equal('capstan')
      expect(document.at('metadata', 'namespace').value, 'the one it is applied to').to.equal(undefined)
    }
  })

  it('runs two replicas or more, replaces them without a gap and survives a drained node', () => {
    expect(kind('Deployment').at('spec', 'replicas').value).to.be.at.least(2)
    expect(kind('Deployment').at('spec', 'strategy', 'rollingUpdate', 'maxUnavailable').value).to.equal(0)
    expect(kind('PodDisruptionBudget').at('spec', 'minAvailable').value).to.equal(1)
    expect(pod.at('topologySpreadConstraints').items).to.have.length(1)
  })

  it('every selector finds the pods', () => {
    const labels = kind('Deployment').at('spec', 'template', 'metadata', 'labels').value
    for (const selector of [
      kind('Deployment').at('spec', 'selector', 'matchLabels'),
      kind('PodDisruptionBudget').at('spec', 'selector', 'matchLabels'),
      kind('Service').at('spec', 'selector'),
      kind('NetworkPolicy').at('spec', 'podSelector', 'matchLabels'),
      pod.at('topologySpreadConstraints', 0, 'labelSelector', 'matchLabels'),
    ])
      expect(selector.value).to.deep.equal(labels)
  })

  it('holds no root, no privileges, no writable image and no token of the cluster', () => {
    expect(pod.at('securityContext').value).to.deep.include({
      runAsNonRoot: true,
      runAsUser: 10001,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(container.at('securityContext').value).to.deep.equal({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(pod.at('automountServiceAccountToken').value).to.equal(false)
    for (const never of ['hostNetwork', 'hostPID', 'hostIPC', 'initContainers']) expect(pod.at(never).value, never).to.equal(undefined)
    expect(textOf('Dockerfile')).to.contain(`USER ${String(pod.at('securityContext', 'runAsUser').value)}:`)
  })

  it('has a pinned image, requests and limits, and a place to write for every path that is written', () => {
    expect(imageFault(container.at('image').text)).to.equal(null)
    expect(container.at('resources', 'requests').texts).to.have.all.keys('cpu', 'memory', 'ephemeral-storage')
    expect(container.at('resources', 'limits').texts).to.have.all.keys('cpu', 'memory', 'ephemeral-storage')
    const volumes = pod.at('volumes').items.map((volume) => volume.at('name').text)
    const mounts = container.at('volumeMounts').items
    expect(mounts.map((mount) => mount.at('name').text)).to.deep.equal(volumes)
    expect(mounts.map((mount) => mount.at('mountPath').text)).to.include.members(['/data', '/tmp', '/dev/shm'])
    for (const volume of pod.at('volumes').items) expect(volume.at('emptyDir', 'sizeLimit').text).to.match(/^\d+[MG]i$/)
  })

  it('has startup, liveness and readiness probes, of which only readiness checks the store', () => {
    const probe = (name: string): Tree => container.at(`${name}Probe`)
    for (const [name, path] of [
      ['startup', '/healthz'],
      ['liveness', '/healthz'],
      ['readiness', '/readyz'],
    ] as const) {
      expect(probe(name).at('httpGet').value).to.deep.equal({ path, port: 'http' })
      expect(probe(name).at('timeoutSeconds').value).to.be.a('number')
    }
    expect(Number(probe('startup').at('periodSeconds').value) * Number(probe('startup').at('failureThreshold').value)).to.be.at.least(60)
  })

  it('lets calls end: the pod outlives its pause and the grace of the gateway', () => {
    const pause = Number(container.at('lifecycle', 'preStop', 'exec', 'command', 1).text)
    expect(pause).to.be.at.least(5)
    expect(pod.at('terminationGracePeriodSeconds').value).to.be.above(pause + seconds(env['CAPSTAN_LIMIT_GRACE'] ?? ''))
  })

  it('serves calls alone: the admin port is for the monitoring namespace', () => {
    const port = (name: string): unknown =>
      container
        .at('ports')
        .items.find((each) => each.at('name').text === name)
        ?.at('containerPort').value
    expect(String(port('http'))).to.equal(env['CAPSTAN_PORT'])
    expect(String(port('metrics'))).to.equal(env['CAPSTAN_ADMIN_PORT'])
    expect(
      kind('Service')
        .at('spec', 'ports')
        .items.map((each) => each.at('targetPort').text),
    ).to.deep.equal(['http'])
    const rules = kind('NetworkPolicy').at('spec', 'ingress').items
    for (const rule of rules) if (rule.at('ports', 0, 'port').text === 'metrics') expect(rule.at('from').items.length).to.equal(1)
    expect(rules).to.have.length(2)
  })

  it('T-08 takes secrets from a secret it does not hold, and its settings are ones the gateway takes', () => {
    expect(container.at('envFrom').value).to.deep.equal([{ configMapRef: { name: 'capstan' } }, { secretRef: { name: 'capstan' } }])
    expect(documents.some((document) => document.at('kind').text === 'Secret')).to.equal(false)
    for (const name of Object.keys(env)) expect(name).not.to.match(/TOKEN|SECRET|PASSWORD|KEY/)
    expect(unknownVariables(textOf('deploy/kubernetes.yaml'))).to.deep.equal([])
    expect(complaints(env)).to.deep.equal([])
  })
})
