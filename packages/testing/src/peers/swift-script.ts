/**
 * Runs OpenStack Swift with its S3 interface in one process: Debian's `python3-swift` has every part, and
 * the daemons' own start scripts expect a dedicated machine. Swift's behaviour is unchanged, except that
 * parts may be small, so that tests are fast. A dictionary does what memcached would do.
 *
 * Arguments: a folder and a port. Prints a line when it listens; ends when its standard input does.
 */
export const SWIFT_SCRIPT = `
import eventlet
eventlet.monkey_patch()
import json, os, sys
from time import time as now
from eventlet import wsgi
from eventlet.hubs import trampoline
from swift.common import utils

root, port = sys.argv[1], int(sys.argv[2])
utils.SWIFT_CONF_FILE = os.path.join(root, 'swift.conf')
utils.HASH_PATH_SUFFIX = b'filewright'
utils.HASH_PATH_PREFIX = b''
with open(utils.SWIFT_CONF_FILE, 'w') as file:
    file.write('[swift-hash]\\nswift_hash_path_suffix = filewright\\n')

from swift.account.server import AccountController
from swift.common.ring import RingBuilder
from swift.common.wsgi import SwiftHttpProtocol, loadapp
from swift.container.server import ContainerController
from swift.obj.server import ObjectController

devices = os.path.join(root, 'devices')
os.makedirs(os.path.join(devices, 'disk', 'tmp'))
settings = {
    'devices': devices, 'swift_dir': root, 'mount_check': 'false', 'disable_fallocate': 'true', 'fallocate_reserve': '0'
}

PIPELINE = 'catch_errors gatekeeper listing_formats s3api tempauth copy slo symlink versioned_writes proxy-server'.split()
OPTIONS = {
    'proxy-server': 'account_autocreate = true',
    'tempauth': 'user_test_tester = testing .admin',
    's3api': 'location = us-east-1\\ncheck_bucket_owner = false\\nauth_pipeline_check = false\\nmin_segment_size = 1',
    'versioned_writes': 'allow_object_versioning = true'
}
proxy = os.path.join(root, 'proxy.conf')
with open(proxy, 'w') as file:
    file.write('[DEFAULT]\\nswift_dir = %s\\n[pipeline:main]\\npipeline = %s\\n' % (root, ' '.join(PIPELINE)))
    for name in PIPELINE:
        kind, egg = ('app', 'proxy') if name == 'proxy-server' else ('filter', name)
        file.write('[%s:%s]\\nuse = egg:swift#%s\\n%s\\n' % (kind, name, egg, OPTIONS.get(name, '')))

class Quiet:
    def write(self, text): pass
    def flush(self): pass

class Cache:
    """In the place of memcached. Its values are copies, as there."""
    def __init__(self): self.values = {}
    def get(self, key, **options):
        expires, value = self.values.get(key, (0, 'null'))
        return json.loads(value) if expires > now() else None
    def set(self, key, value, time=0, **options): self.values[key] = (now() + (time or 60), json.dumps(value))
    def delete(self, key, **options): self.values.pop(key, None)

def with_cache(app):
    cache = Cache()
    def call(environ, start_response):
        environ['swift.cache'] = cache
        return app(environ, start_response)
    return call

def serve(listener, app):
    eventlet.spawn_n(wsgi.server, listener, app, Quiet(), protocol=SwiftHttpProtocol)

for name, controller in (('account', AccountController), ('container', ContainerController), ('object', ObjectController)):
    listener = eventlet.listen(('127.0.0.1', 0), backlog=512)
    ring = RingBuilder(4, 1, 1)
    ring.add_dev({
        'id': 0, 'region': 1, 'zone': 1, 'weight': 1.0, 'device': 'disk', 'ip': '127.0.0.1', 'port': listener.getsockname()[1]
    })
    ring.rebalance()
    ring.get_ring().save(os.path.join(root, name + '.ring.gz'))
    serve(listener, controller(settings))

front = eventlet.listen(('127.0.0.1', port), backlog=512)
serve(front, with_cache(loadapp(proxy, global_conf={})))
print('listening', flush=True)
trampoline(0, read=True)
`
