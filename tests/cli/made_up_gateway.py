#!/usr/bin/env python3
"""A TLS gateway that counts handshakes, and an exporter that makes its CPU up of the count: made_up_gateway.py CHAIN KEY HOW

Prints both ports (gateway, exporter) once they listen. HOW, of the CPU or of what it does:
  exact    3 ms a handshake, nothing else
  curve    the more there were in the last second, the more each costs
  flat     half a core, whoever comes
  coarse   as exact, in whole tenths of a second
  failing  as exact, but one request in ten is reset
  slow     as exact, but it takes 20 a second at most
"""
import asyncio
import ssl
import sys
import time
from collections import deque

chain, key, how = sys.argv[1:4]
EACH_S = 0.003
count = asked = 0
curved_s = 0.0
recent = deque()
turns = asyncio.Lock()


def cpu_s():
    if how == "curve":
        return curved_s
    if how == "flat":
        return 0.5 * time.monotonic()
    if how == "coarse":
        return int(count * EACH_S * 10 + 1e-9) / 10
    return count * EACH_S


def one_more():
    global count, curved_s
    now = time.monotonic()
    count += 1
    recent.append(now)
    while recent[0] < now - 1:
        recent.popleft()
    curved_s += 0.0005 * len(recent)


async def serve(reader, writer):
    global asked
    try:
        await reader.readuntil(b"\r\n\r\n")
        asked += 1
        if how == "failing" and asked % 10 == 0:
            writer.transport.abort()
            return
        if how == "slow":
            async with turns:
                await asyncio.sleep(0.05)
        one_more()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        await writer.drain()
        await reader.read()
    except (OSError, ssl.SSLError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


async def tell(reader, writer):
    try:
        await reader.readuntil(b"\r\n\r\n")
        text = f'namedprocess_namegroup_cpu_seconds_total{{groupname="made-up",mode="user"}} {cpu_s():.9f}\n'
        writer.write(f"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {len(text)}\r\n\r\n{text}".encode())
        await writer.drain()
    except (OSError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


async def main():
    gateway = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context, backlog=1024)
    exporter = await asyncio.start_server(tell, "127.0.0.1", 0)
    print(gateway.sockets[0].getsockname()[1], exporter.sockets[0].getsockname()[1], flush=True)
    await asyncio.gather(gateway.serve_forever(), exporter.serve_forever())


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(chain, key)
asyncio.run(main())
