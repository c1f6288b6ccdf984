# Set BASE_URL, CLIENT_ID, CLIENT_SECRET and REDIRECT_URI, then load this file: . curl.sh
# A public application has no secret: say --data client_id="$CLIENT_ID" instead of --user.

# 1. Open the printed address in a browser. $state and $verifier wait for the answer.
ask() { # SCOPE
  state=$(openssl rand -hex 16)
  verifier=$(openssl rand -hex 32)
  local challenge query redirect
  challenge=$(printf %s "$verifier" | openssl dgst -sha256 -binary | openssl base64 | tr '+/' '-_' | tr -d '=')
  redirect=$(printf %s "$REDIRECT_URI" | od -An -v -tx1 | tr -d ' \n' | sed 's/../%&/g')
  query="response_type=code&client_id=$CLIENT_ID&redirect_uri=$redirect&scope=${1// /%20}"
  echo "$BASE_URL/oauth/authorize?$query&state=$state&code_challenge=$challenge&code_challenge_method=S256"
}

# 2. The browser came back to the redirect URI. Prints the tokens; ends with 2 where the player denied.
come_back() { # ADDRESS
  if [ "$(parameter state "$1")" != "$state" ] || [ "$(parameter iss "$1")" != "$BASE_URL" ]; then
    echo "This answer is not ours." >&2
    return 1
  fi
  if [ "$(parameter error "$1")" = access_denied ]; then return 2; fi
  curl --silent --show-error --fail-with-body "$BASE_URL/oauth/token" --user "$CLIENT_ID:$CLIENT_SECRET" \
    --data grant_type=authorization_code --data code="$(parameter code "$1")" \
    --data code_verifier="$verifier" --data-urlencode redirect_uri="$REDIRECT_URI"
}

# 3. Call.
call() { # ACCESS_TOKEN PATH
  curl --silent --show-error --fail-with-body "$BASE_URL$2" --header "Authorization: Bearer $1"
}

# 4. Refresh. Store the new refresh token before you use the new access token.
refresh() { # REFRESH_TOKEN
  curl --silent --show-error --fail-with-body "$BASE_URL/oauth/token" --user "$CLIENT_ID:$CLIENT_SECRET" \
    --data grant_type=refresh_token --data refresh_token="$1"
}

# 5. Sign out. The refresh token takes its access token along.
revoke() { # TOKEN
  curl --silent --show-error --fail-with-body "$BASE_URL/oauth/revoke" --user "$CLIENT_ID:$CLIENT_SECRET" --data token="$1"
}

# One parameter of an address, decoded.
parameter() { # NAME ADDRESS
  local value
  value=$(printf %s "$2" | sed -n "s/.*[?&]$1=\([^&]*\).*/\1/p")
  printf '%b' "${value//%/\\x}"
}
