"""Counts up under redis-py's lock: lock.py <port> <key of the lock> <key of the counter>, until "<counter>:stop" exists"""
import sys

import redis

port, key, counter = int(sys.argv[1]), sys.argv[2], sys.argv[3]
client = redis.Redis(host="127.0.0.1", port=port)
print("ready", flush=True)
times = 0
while not client.exists(counter + ":stop"):
    with client.lock(key, timeout=10, sleep=0.002):
        # Read and written separately: a write in between loses a count.
        seen = int(client.get(counter) or 0)
        client.set(counter, seen + 1)
        times += 1
print("redis-py", redis.__version__, times)
