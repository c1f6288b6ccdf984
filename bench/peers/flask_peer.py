"""A bearer API and a rotating refresh in the Python stack that such services are often written in.

Flask, Authlib, peewee on PostgreSQL and Redis: one look-up of the token, one count in Redis, one row of the player a read;
a refresh revokes the old token and writes the new pair in one transaction. Served by gunicorn.

Environment: PEER_DATABASE_URL, PEER_REDIS_URL. `python flask_peer.py prepare <tokens>` creates the tables and writes that
many tokens as lines "access refresh".
"""

import json
import os
import secrets
import sys
import time
from urllib.parse import urlsplit

import redis
from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token
from authlib.oauth2.rfc6749.grants import RefreshTokenGrant
from authlib.oauth2.rfc6750 import BearerTokenValidator
from flask import Flask, make_response
from peewee import BooleanField, CharField, ForeignKeyField, IntegerField, Model, TextField
from playhouse.pool import PooledPostgresqlDatabase

CLIENT_ID, CLIENT_SECRET = "peer", "peer-secret"
CALLS_A_MINUTE = 1_000_000_000

address = urlsplit(os.environ["PEER_DATABASE_URL"])
database = PooledPostgresqlDatabase(
    address.path[1:],
    host=address.hostname,
    port=address.port,
    user=address.username,
    password=address.password,
    max_connections=8,
)
counters = redis.Redis.from_url(os.environ["PEER_REDIS_URL"])


class Table(Model):
    class Meta:
        database = database


class Player(Table):
    name = TextField()
    chat_id = TextField(null=True)
    faction_id = IntegerField(null=True)
    last_action = IntegerField(null=True)
    last_refresh = IntegerField(null=True)


class Client(Table):
    client_id = CharField(primary_key=True)
    secret = TextField()

    def get_client_id(self):
        return self.client_id

    def check_client_secret(self, secret):
        return secrets.compare_digest(self.secret, secret)

    def check_endpoint_auth_method(self, method, endpoint):
        return method == "client_secret_basic"

    def check_grant_type(self, grant_type):
        return grant_type == "refresh_token"

    def get_allowed_scope(self, scope):
        return scope


class Token(Table):
    access_token = CharField(unique=True)
    refresh_token = CharField(unique=True)
    client = ForeignKeyField(Client)
    player = ForeignKeyField(Player)
    scope = TextField()
    issued_at = IntegerField()
    expires_in = IntegerField()
    revoked = BooleanField(default=False)

    def check_client(self, client):
        return self.client_id == client.client_id

    def get_scope(self):
        return self.scope

    def get_expires_in(self):
        return self.expires_in

    def is_expired(self):
        return time.time() > self.issued_at + self.expires_in

    def is_revoked(self):
        return self.revoked

    def get_user(self):
        return self.player

    def get_client(self):
        return self.client


class Refresh(RefreshTokenGrant):
    INCLUDE_NEW_REFRESH_TOKEN = True
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic"]

    def authenticate_refresh_token(self, refresh_token):
        return Token.get_or_none(Token.refresh_token == refresh_token, ~Token.revoked)

    def authenticate_user(self, refresh_token):
        return refresh_token.player

    def revoke_old_credential(self, refresh_token):
        Token.update(revoked=True).where(Token.id == refresh_token.id).execute()


class Bearer(BearerTokenValidator):
    def authenticate_token(self, token_string):
        return Token.get_or_none(Token.access_token == token_string)


def find_client(client_id):
    return Client.get_or_none(Client.client_id == client_id)


def save_token(token, request):
    Token.create(
        access_token=token["access_token"],
        refresh_token=token["refresh_token"],
        client=request.client,
        player=request.user,
        scope=token.get("scope") or "identity",
        issued_at=int(time.time()),
        expires_in=token["expires_in"],
    )


app = Flask(__name__)
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
server = AuthorizationServer(app, query_client=find_client, save_token=save_token)
server.register_grant(Refresh)
protect = ResourceProtector()
protect.register_token_validator(Bearer())


@app.before_request
def connect():
    database.connect(reuse_if_open=True)


@app.teardown_request
def disconnect(_error):
    if not database.is_closed():
        database.close()


@app.post("/oauth/token")
def issue():
    with database.atomic():
        return server.create_token_response()


@app.get("/api/v1/user")
@protect("identity")
def user():
    minute = int(time.time()) // 60
    key = f"peer:{current_token.player_id}:{minute}"
    used = counters.incr(key)
    if used == 1:
        counters.expire(key, 90)
    player = current_token.player
    answer = make_response(
        json.dumps(
            {
                "user_id": player.id,
                "username": f"{player.name} [{player.id}]",
                "chat_id": player.chat_id,
                "faction_id": player.faction_id,
                "last_action": player.last_action,
                "last_refresh": player.last_refresh,
            }
        ),
        429 if used > CALLS_A_MINUTE else 200,
    )
    answer.headers["Content-Type"] = "application/json"
    answer.headers["X-RateLimit-Limit"] = str(CALLS_A_MINUTE)
    answer.headers["X-RateLimit-Remaining"] = str(CALLS_A_MINUTE - used)
    answer.headers["X-RateLimit-Reset"] = str(60 - int(time.time()) % 60)
    return answer


def prepare(count):
    database.connect()
    database.create_tables([Player, Client, Token], safe=True)
    client, _ = Client.get_or_create(client_id=CLIENT_ID, defaults={"secret": CLIENT_SECRET})
    player, _ = Player.get_or_create(id=1001, defaults={"name": "Peer", "chat_id": "1111111111111111111", "faction_id": 1})
    for _ in range(count):
        access, refresh = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        Token.create(
            access_token=access,
            refresh_token=refresh,
            client=client,
            player=player,
            scope="identity",
            issued_at=int(time.time()),
            expires_in=3_600,
        )
        print(access, refresh)


if __name__ == "__main__" and sys.argv[1] == "prepare":
    prepare(int(sys.argv[2]))
